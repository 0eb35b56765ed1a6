"""What a comparison found, for people, for programs, and for GitHub."""
