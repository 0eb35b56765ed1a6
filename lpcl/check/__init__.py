"""Names, types, units and rules: one module a family of rules, no solver, nothing that runs a contract's code."""
