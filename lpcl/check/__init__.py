"""Names, types, units and rules, one module a family. No solver; nothing runs a contract's code."""
