"""The ground floor: storage, jobs, models, settings, errors, ids and time. It knows no knowledge."""
