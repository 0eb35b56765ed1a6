"""Random clauses of contracts as LPCL text: controls, pools, demands, and what an operation does."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from hypothesis import strategies as st

from lpcl.compose.terms import Plain
from lpcl.ranges.space import OTHER_TEXT
from tests.property.expressions import Words, guards, numbers, truths, wholes

_GIB = 2**30
TRIED: Mapping[str, tuple[Plain, ...]] = {
    "a": (0, 1, 2, 3, 4),
    "b": (0, 1, 2, 3),
    "c": (0, Fraction(1, 2), 1, Fraction(3, 2), 2),
    "d": (False, True),
    "e": ("fast", "slow", "odd"),
    "s": (0, Fraction(1, 4), Fraction(1, 3), Fraction(1, 2), 1),
    "t": ("x", OTHER_TEXT),
    "y": (_GIB, _GIB + 1, 2 * _GIB, 3 * _GIB, 4 * _GIB),
    "x": (1, 2, 3),
}
"""By control, the values that are tried of those that any of its types takes. Nothing reads the others."""

_TYPES = {
    "a": ("int in 0..2", "int in 1..3", "count in 0..3", "int in 0..machine.cpus.online + 1"),
    "b": ("int in 0..2", "int in 0..1", "count in 0..2"),
    "c": ("int in 1..2", "int in 0..2", "real in 0..2", "real in 1..2"),
    "d": ("bool",),
    "e": ("{fast, slow}", "{fast, slow, odd}", "{slow, fast}"),
    "s": ("share", "share in 0..0.5"),
    "t": ("string",),
    "y": ("bytes in 1 GiB .. 2 GiB", "bytes in 1 GiB .. 3 GiB"),
    "x": ("int in 1..3",),
}
_DEFAULTS = {
    "a": ("1", "2", "min(2, machine.cpus.online)", "machine.cpus.online"),
    "b": ("1", "0", "min(machine.cpus.online, 3)"),
    "c": ("1", "2", "if defined(B) then 1 else 2"),
    "d": ("false", "true"),
    "e": ("fast", "slow"),
    "s": ("0.5", "0.25"),
    "t": ('"x"', '"y"'),
    "y": ("1 GiB", "2 GiB"),
    "x": ("1", "2"),
}
_COUNTS = ("a", "b", "x")
_NUMBERS = {"c": ("c", "c * 2"), "s": ("s * 4",)}
_TRUTHS = {
    "d": ("d", "(not d)"),
    "e": ("(e == fast)", "(e != slow)"),
    "t": ('(t == "x")',),
    "y": ("(y > 1 GiB)",),
}


def words_about(live: tuple[str, ...]) -> Words:
    """What expressions over these controls are made of."""
    asked = [text for name in live for text in (f"defined({name})", f"defined({name.upper()})")]
    return Words(
        ("machine.cpus.online", "m", *(name for name in live if name in _COUNTS)),
        tuple(text for name in live for text in _NUMBERS.get(name, ())),
        (*(text for name in live for text in _TRUTHS.get(name, ())), *asked),
    )


def maybe(*texts: str) -> st.SearchStrategy[str]:
    """One of some texts, or none."""
    return st.sampled_from(("", *texts))


@st.composite
def controls(draw: st.DrawFn, name: str, live: tuple[str, ...], ways: tuple[str, ...] = ("env ",)) -> str:
    """A control, whose range and default may read those behind it in `live`.

    `ways` are the beginnings of what says which variables set it; an empty one leaves that out.
    """
    behind = [other for other in live[live.index(name) + 1 :] if other in _COUNTS] if name in live else []
    types = (*_TYPES[name], *(f"int in 0..{other} + 1" for other in behind if name == "a"))
    defaults = (*_DEFAULTS[name], *(f"min({other}, 2)" for other in behind if name in _COUNTS))
    big = name.upper()
    variables = draw(st.sampled_from((big, big, f"{big}, {big}2", f"{big}2, {big}", f"{big}, Q")))
    default = draw(st.sampled_from((*(f"default {one}" for one in defaults), f"default {defaults[0]}", "")))
    others = " ".join(
        (
            draw(maybe('api "set"', 'api "put"')),
            draw(maybe('argument "--n"')),
            draw(maybe('config "n"')),
            draw(maybe("read at load", "read at first use", "read at each call")),
            draw(maybe("scope thread", "scope call", "scope process")),
            draw(maybe("invalid clamps", "invalid rejects", "invalid ignored", "invalid clamps above")),
        )
    )
    way = draw(st.sampled_from(ways))
    env = f"{way}{variables}" if way else ""
    return f"control {name}: {draw(st.sampled_from(types))} {{ {env}  {default}  {others} }}"


@st.composite
def pools(draw: st.DrawFn, name: str, words: Words, *, is_open: bool = False) -> str:
    """A pool; that of an interface, which `is_open`, need not say how large it is and whom it serves."""
    time = draw(numbers(words, 1))
    exists = draw(wholes(words.with_counts("size", "size")))
    policies = [f"callers {one}" for one in ("fork", "queue", "submit", "join", "forbid")]
    sizes = [f"size {draw(wholes(words))}"]
    return f"""pool {name} {{ {draw(maybe(*sizes) if is_open else st.sampled_from(sizes))}
    {draw(maybe(*policies) if is_open else st.sampled_from(policies))}
    {draw(maybe("caller joins", "caller waits"))} {draw(maybe("threads coupled", "threads independent"))}
    {draw(maybe("created at load", "created at first use"))} {draw(maybe(f"existing {exists}"))}
    {draw(maybe("idle blocks", "idle spins", f"idle spins for abs({time}) * 1 s"))}
    {draw(maybe("fork safe", "fork unsafe", "fork resets"))} {draw(maybe("nested"))} }}"""


@st.composite
def demands(draw: st.DrawFn, words: Words) -> str:
    """A demand of an amount, or of bounds."""
    resource = draw(st.sampled_from(("plain", "plain", "cpu", "vram", "vram")))

    def amount() -> str:
        if resource == "cpu":
            return draw(wholes(words))
        return draw(numbers(words)) + (" * 1 GiB" if resource == "vram" else "")

    device = ""
    if resource == "vram":
        device = draw(maybe(" on all", " on 0", " on 1", f" on {draw(wholes(words))}"))
    guard = draw(guards(words))
    if draw(st.sampled_from((False, False, True))):
        return f"demand {resource}{device} in {amount()} .. {amount()}{guard}"
    return f"demand {resource}{device} = {amount()}{guard}"


@st.composite
def assumptions(draw: st.DrawFn, words: Words) -> str:
    """An assumption."""
    return f'assume {draw(truths(words))} else "no"'


@st.composite
def hazards(draw: st.DrawFn, words: Words) -> str:
    """A hazard."""
    effect = draw(st.sampled_from(("", "hangs", "aborts")))
    return f'hazard "trouble" {effect} when {draw(truths(words))}'


@st.composite
def settings_of(draw: st.DrawFn, words: Words, kinds: tuple[str, ...]) -> str:
    """What sets something: a variable, a control, how processes start, or the CPUs that they may use."""
    kind = draw(st.sampled_from(kinds))
    value, guard = draw(wholes(words)), draw(guards(words))
    texts = {
        "set": f"set V = {value}{guard}",
        "set default": f"set default V = {value}{guard}",
        "limit": f"limit depth = {value}{guard}",
        "start": f"start if {draw(truths(words, 0))} then fork else spawn",
        "pin": f"pin cpus = {value}",
        "caller": "caller joins",
        "demand": draw(demands(words)),
    }
    return texts[kind]


@st.composite
def several(draw: st.DrawFn, one: st.SearchStrategy[str], most: int) -> str:
    """Up to so many clauses; of those that may stand but once the first."""
    found = [draw(one) for _ in range(draw(st.integers(0, most)))]
    single = ("start", "pin", "caller")
    kept = [text for index, text in enumerate(found) if text.split()[0] not in single or index == 0]
    return " ".join(kept)


@st.composite
def on_load(draw: st.DrawFn, words: Words) -> str:
    """What loading the library does."""
    kinds = ("set", "set default", "limit", "demand", "pin")
    return f"on load {{ {draw(several(settings_of(words, kinds), 3))} }}"


@st.composite
def ways(draw: st.DrawFn, words: Words) -> str:
    """How an operation's work is done."""
    kind = draw(st.sampled_from(("", "pool", "pool", "threads", "processes", "two")))
    if not kind:
        return ""
    size = draw(maybe(f" with size = {draw(wholes(words))}"))
    if kind == "two":
        condition = draw(truths(words, 1))
        return f"runs on w{size} when {condition}  workers threads {draw(wholes(words))}{draw(guards(words))}"
    guard = draw(guards(words))
    if kind == "pool":
        return f"runs on w{size}{guard}"
    processes = ("set", "set default", "limit", "start", "pin", "demand")
    inner = ("caller", "limit") if kind == "threads" else processes
    block = draw(several(settings_of(words, inner), 2))
    return f"workers {kind} {draw(wholes(words))}{guard} {{ {block} }}"


@st.composite
def calls(draw: st.DrawFn, words: Words) -> str:
    """Another operation that is carried out."""
    return f"calls called(n = {draw(wholes(words))}){draw(maybe(' with block'))}{draw(guards(words))}"


@st.composite
def parameters(draw: st.DrawFn) -> str:
    """The parameters `n` and, mostly, `k` of an operation."""
    kind = draw(st.sampled_from(("int in 1..2", "int in 0..2", "int in 0..3", "count in 0..2")))
    further = (
        "k: int in 0..2 = 1",
        "k: int in 0..1 = 0",
        "k: int in 0..2",
        "k: int in 0..1",
        "k: bool = true",
    )
    kept = [f"n: {kind}{draw(maybe(' = 1', ' = 2'))}", draw(maybe(*further))]
    return ", ".join(filter(None, kept))


def carried_out(words: Words) -> st.SearchStrategy[str]:
    """What an operation asks for, assumes, limits and calls while it runs."""
    kinds = (demands(words), demands(words), assumptions(words), hazards(words), calls(words))
    return several(st.one_of(*kinds, settings_of(words, ("limit",))), 3)
