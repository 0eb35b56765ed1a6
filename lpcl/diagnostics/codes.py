"""The registry of diagnostic codes: the stable names by which findings are known and explained."""

from __future__ import annotations

from dataclasses import dataclass

from lpcl.diagnostics.diagnostic import Severity


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of finding. Its page is `docs/diagnostics/<name>.md`."""

    name: str
    family: str
    severity: Severity
    summary: str


_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO

CODES: dict[str, Code] = {
    code.name: code
    for code in (
        # -------------------------------------------------- text
        Code("syntax", "text", _E, "text that is not LPCL"),
        Code("unclosed", "text", _E, "a brace or parenthesis that is never closed"),
        Code("unterminated", "text", _E, "a text or comment without an end"),
        Code("malformed-number", "text", _E, "a number with far too many digits"),
        Code("nesting", "text", _E, "nesting too deep to be read"),
        Code("encoding", "text", _E, "bytes that are not UTF-8"),
        Code("unreadable-file", "text", _E, "a file that does not exist or cannot be read"),
        Code("bad-configuration", "text", _E, "`[tool.lpcl]` in pyproject.toml that cannot be used"),
        # -------------------------------------------------- names
        Code("misplaced-header", "names", _E, "`package` or `import` after the declarations, or twice"),
        Code("unknown-import", "names", _E, "an import that leads nowhere"),
        Code("import-conflict", "names", _E, "an import whose name the package declares itself"),
        Code("cyclic-import", "names", _E, "files that import each other in a circle"),
        Code("unknown-declaration", "names", _E, "a name that no declaration has"),
        Code("wrong-kind", "names", _E, "a name of another kind of declaration than is needed"),
        Code("ambiguous-name", "names", _E, "a name that two imports bring in"),
        Code("unknown-name", "names", _E, "a name in an expression that means nothing there"),
        Code("unknown-member", "names", _E, "a control, pool or operation that a library does not have"),
        Code("unknown-figure", "names", _E, "a figure that machines do not have"),
        Code("unknown-measurement", "names", _E, "something that no signal can measure"),
        Code("unknown-function", "names", _E, "a function that does not exist or not here"),
        Code("unknown-variable", "names", _W, "an environment variable that no library in use reads"),
        Code("unknown-annotation", "names", _W, "an annotation that has no meaning"),
        Code("duplicate-declaration", "names", _E, "two declarations of one name"),
        Code("duplicate-name", "names", _E, "a name given twice where it must be unique"),
        Code("cyclic-extends", "names", _E, "declarations that extend each other in a circle"),
        Code("cyclic-uses", "names", _E, "contracts that use each other in a circle"),
        Code("cyclic-value", "names", _E, "a value that is defined by itself"),
        Code("cyclic-call", "names", _E, "operations that call each other in a circle"),
        # -------------------------------------------------- types
        Code("type-mismatch", "types", _E, "a value of another type than is needed"),
        Code("dimension-mismatch", "types", _E, "figures of unlike dimensions put together"),
        Code("fractional-value", "types", _E, "a fraction where a whole number is needed"),
        Code("out-of-range", "types", _E, "a constant outside the range of its type"),
        Code("division-by-zero", "types", _E, "a division by zero, certain or possible"),
        Code("argument-count", "types", _E, "a function with too few or too many arguments"),
        Code("invalid-type", "types", _E, "a type that makes no sense"),
        # -------------------------------------------------- structure
        Code("missing-clause", "structure", _E, "a declaration without a clause that it needs"),
        Code("duplicate-clause", "structure", _E, "a clause given twice where one is meant"),
        Code("conflicting-clauses", "structure", _E, "clauses that cannot hold together"),
        Code("device-mismatch", "structure", _E, "`on DEVICE` for a resource without devices"),
        Code("bad-version", "structure", _E, "a version or constraint that cannot be read or satisfied"),
        Code("ambiguous-version", "structure", _E, "several contracts that speak about one version, or none"),
        Code("bad-pattern", "structure", _E, "a pattern that finds no single figure"),
        Code("bad-python", "structure", _E, "Python code that is no Python"),
        Code("impossible-machine", "structure", _E, "figures that no machine can have"),
        Code("test-figures", "structure", _E, "expected figures that are not demand / capacity"),
        # -------------------------------------------------- calls and interfaces
        Code("unknown-argument", "calls", _E, "an argument that the operation does not take"),
        Code("missing-argument", "calls", _E, "an argument that the operation needs"),
        Code("missing-implementation", "interfaces", _E, "a member of an interface that its provider lacks"),
        Code("incompatible-member", "interfaces", _E, "a member that is not as its interface promises"),
        Code("not-a-provider", "interfaces", _E, "a provider that does not implement the interface"),
        Code("no-provider", "interfaces", _E, "a dependency for which nothing is chosen"),
        # -------------------------------------------------- what values can come to
        Code("default-out-of-range", "values", _W, "a default that can leave its range on some machine"),
        Code("impossible-assumption", "values", _W, "an `assume` that can never hold"),
        Code("empty-assumption", "values", _I, "an `assume` that always holds"),
        Code("unreachable-clause", "values", _W, "a condition after `when` that is never true"),
        Code("demand-below-zero", "values", _E, "a demand that can be negative"),
        Code("control-without-effect", "values", _W, "a control that is read and changes nothing"),
        Code("overcommit-alone", "values", _W, "an operation that asks for too much all by itself"),
        Code("nobody-at-work", "values", _W, "an operation whose pool or workers can come to nobody"),
        Code("not-decided", "values", _I, "a question about values that could not be decided"),
        # -------------------------------------------------- good practice
        Code("unused-import", "practice", _W, "an import that nothing in the file uses"),
        Code("unused-let", "practice", _W, "a `let` that nothing reads"),
        Code("unused-control", "practice", _W, "a control that nothing reads"),
        Code("unused-operation", "practice", _I, "an operation beside an application that nothing calls"),
        Code("control-without-setting", "practice", _W, "a control that does not say how it is set"),
        Code("clause-without-effect", "practice", _I, "a clause about variables in a control without any"),
        Code("order-of-variables", "practice", _W, "variables that two controls read in different orders"),
        Code("fixed-demand", "practice", _I, "a demand that nothing changes and that says no source"),
        Code("signal-without-indication", "practice", _I, "a signal that indicates nothing"),
        Code("shadowed-name", "practice", _W, "a name that hides another one"),
        Code("deprecated-in-use", "practice", _W, "something deprecated that is used"),
        Code("contract-without-evidence", "practice", _I, "a contract of a library that nothing can try"),
        Code("contract-without-source", "practice", _I, "a contract of a library that says no source"),
        Code("naming", "practice", _I, "a name that is not in small letters"),
        Code("unused-suppression", "practice", _W, "a comment that allows what is not there"),
        Code(
            "suppression-without-reason",
            "practice",
            _W,
            "a comment that allows something and does not say why",
        ),
        # -------------------------------------------------- composing an application
        Code("machine-fact-missing", "composition", _E, "a figure that is read and that the machine lacks"),
        Code("machine-range", "composition", _E, "a range where a machine's figure is needed"),
        Code("control-without-value", "composition", _E, "a control that nothing gives a value"),
        Code("value-rejected", "composition", _E, "a setting that the library does not accept"),
        Code("order-of-starts", "composition", _E, "a fraction of what is left that several take at once"),
        Code("negative-demand", "composition", _E, "a demand that comes out below 0"),
        Code("too-deep", "composition", _E, "an application nested deeper than can be composed"),
        # -------------------------------------------------- what a composition finds
        Code("overcommit", "composition", _W, "more is asked of a resource than there is"),
        Code("hazard", "composition", _E, "something goes wrong without any resource running out"),
        Code("assumption", "composition", _E, "an assumption that does not hold"),
        Code("serialized", "composition", _W, "more callers than a pool can serve at once"),
        Code("underuse", "composition", _I, "limits that leave most of the machine idle"),
    )
}
