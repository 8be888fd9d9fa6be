"""Office files (Open Packaging): a zip archive of XML parts, read without trusting either."""
