"""What the server can do, one module a feature. None knows how it is asked, or how its answer travels."""
