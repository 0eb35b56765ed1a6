"""What the server can do, one module a feature. None of them knows how it is asked or how the answer travels."""
