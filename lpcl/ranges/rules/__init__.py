"""Rules about what values can be: one module a kind, each a function of a declaration and what it refers to."""
