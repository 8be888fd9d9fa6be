"""What travels: the JSON of requests and replies, as pydantic models with examples."""
