"""Rules about what values can be, one module a kind: functions of a declaration and what it refers to."""
