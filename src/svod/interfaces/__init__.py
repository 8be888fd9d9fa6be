"""The doors: a request, a tool call or a job becomes one action of a room."""
