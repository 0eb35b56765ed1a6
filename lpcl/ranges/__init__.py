"""What the expressions of one contract can be, over every machine and every setting that it allows."""
