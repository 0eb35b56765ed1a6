"""The server as an editor meets it: a process of its own, spoken to over its standard input and output."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import pytest_asyncio
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient

from lsp_server.positions import Positions

Text = Callable[[str, str], str]

pytestmark = pytest.mark.asyncio(loop_scope="module")


watched: list[types.RegistrationParams] = []


@pytest_lsp.fixture(
    scope="module",
    config=ClientServerConfig(server_command=[sys.executable, "-m", "lsp_server"]),
)
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    """One server for all tests of the module; each test has documents of its own."""

    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(params: types.RegistrationParams) -> None:
        watched.append(params)

    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=pytest_lsp.client_capabilities("visual-studio-code"), root_uri=None
        )
    )
    yield
    await lsp_client.shutdown_session()


@dataclass
class Session:
    """A folder of documents that are open in the editor."""

    client: LanguageClient
    folder: Path
    texts: dict[str, str] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def open(self, name: str, text: str) -> None:
        self.texts[name], self.versions[name] = text, 1
        item = types.TextDocumentItem(self.uri(name), "lpcl", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def edit(self, name: str, text: str) -> None:
        self.texts[name] = text
        self.versions[name] += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.versions[name], self.uri(name)),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def close(self, name: str) -> None:
        self.texts.pop(name)
        identifier = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))

    def place(self, name: str, piece: str, inside: int = 0) -> dict[str, object]:
        """The arguments of a request at a piece of the document's text."""
        offset = self.texts[name].index(piece) + inside
        return {
            "text_document": types.TextDocumentIdentifier(self.uri(name)),
            "position": Positions(self.texts[name]).position(offset),
        }

    def findings(self, name: str) -> list[types.Diagnostic]:
        return list(self.client.diagnostics.get(self.uri(name), ()))

    async def codes(self, name: str, *wanted: str) -> list[types.Diagnostic]:
        """The findings of a document, once their codes are those that are wanted."""
        return await self.until(name, lambda codes: codes == sorted(wanted))

    async def until(self, name: str, enough: Callable[[list[str]], bool]) -> list[types.Diagnostic]:
        """The findings of a document, once their sorted codes are enough."""
        end = time.monotonic() + 15
        while time.monotonic() < end:
            if self.uri(name) in self.client.diagnostics:
                found = self.findings(name)
                if enough(sorted(str(item.code) for item in found)):
                    return found
            await asyncio.sleep(0.01)
        pytest.fail(f"{name}: {[(item.code, item.message) for item in self.findings(name)]}")


@pytest_asyncio.fixture(loop_scope="module")
async def session(client: LanguageClient, tmp_path: Path) -> AsyncIterator[Session]:
    """An empty folder; what a test leaves open is closed."""
    opened = Session(client, tmp_path)
    yield opened
    for name in list(opened.texts):
        opened.close(name)


@pytest.mark.usefixtures("session")
async def test_it_asks_to_hear_of_files_that_change() -> None:
    while not watched:
        await asyncio.sleep(0.01)
    (registration,) = watched[0].registrations
    assert registration.method == types.WORKSPACE_DID_CHANGE_WATCHED_FILES


async def test_a_sound_document_has_no_findings(session: Session, blas: Text) -> None:
    session.open("blas.lpcl", blas("", ""))
    assert await session.codes("blas.lpcl") == []


async def test_findings_in_full(session: Session) -> None:
    session.open(
        "a.lpcl", "contract a {\n  control n: count { default 1 }\n  control n: count { default 2 }\n}\n"
    )
    (found,) = await session.codes("a.lpcl", "duplicate-name")
    assert found.severity is types.DiagnosticSeverity.Error
    assert found.source == "lpcl"
    assert found.range.start == types.Position(2, 10)
    assert found.code_description is not None
    assert found.code_description.href.endswith("/duplicate-name.md")
    (related,) = found.related_information or ()
    assert related.location == types.Location(
        session.uri("a.lpcl"), types.Range(types.Position(1, 10), types.Position(1, 11))
    )
    assert related.message


async def test_an_edit_that_breaks_and_one_that_mends(session: Session, blas: Text) -> None:
    session.open("blas.lpcl", blas("", ""))
    await session.codes("blas.lpcl")
    session.edit("blas.lpcl", blas("size threads", "size thread"))
    (found,) = await session.codes("blas.lpcl", "unknown-name")
    assert "thread" in found.message
    session.edit("blas.lpcl", blas("", ""))
    await session.codes("blas.lpcl")


async def test_half_typed_text_is_a_finding_and_mends(session: Session, blas: Text) -> None:
    session.open("blas.lpcl", blas("size threads", "size"))
    await session.codes("blas.lpcl", "syntax")
    session.edit("blas.lpcl", blas("", ""))
    await session.codes("blas.lpcl")


async def test_columns_are_utf16_behind_an_emoji(session: Session) -> None:
    session.open("a.lpcl", "contract a { /* 😀👩‍🔬 */ control n: count { default nn } }\n")
    (found,) = await session.codes("a.lpcl", "unknown-name")
    before = session.texts["a.lpcl"].split("nn }")[0]
    assert found.range.start == types.Position(0, len(before.encode("utf-16-le")) // 2)
    assert found.range.end.character == found.range.start.character + 2
    hovered = await session.client.text_document_hover_async(
        types.HoverParams(**session.place("a.lpcl", "n: count"))
    )
    assert hovered is not None
    assert hovered.range is not None
    column = len(session.texts["a.lpcl"].split("n: count")[0].encode("utf-16-le")) // 2
    assert hovered.range.start == types.Position(0, column)


async def test_imports_that_are_not_open_are_read_from_disk(
    session: Session, blas: Text, application: Text
) -> None:
    session.write("blas.lpcl", blas("", ""))
    session.open("app.lpcl", application("", ""))
    await session.codes("app.lpcl")
    session.write("blas.lpcl", blas("operation both", "operation bother"))
    event = types.FileEvent(session.uri("blas.lpcl"), types.FileChangeType.Changed)
    session.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    (found,) = await session.codes("app.lpcl", "unknown-member")
    assert "both" in found.message


async def test_imports_that_are_open_count_as_they_are_typed(
    session: Session, blas: Text, application: Text
) -> None:
    session.open("app.lpcl", application("", ""))
    await session.until("app.lpcl", lambda codes: "unknown-import" in codes)
    session.open("blas.lpcl", blas("", ""))
    await session.codes("app.lpcl")
    session.edit("blas.lpcl", blas("operation both", "operation bother"))
    await session.codes("app.lpcl", "unknown-member")
    session.edit("blas.lpcl", blas("", ""))
    await session.codes("app.lpcl")


async def test_faults_of_an_import_show_in_its_own_file(
    session: Session, blas: Text, application: Text
) -> None:
    session.write("blas.lpcl", blas("size threads", "size thread"))
    session.open("app.lpcl", application("", ""))
    await session.codes("blas.lpcl", "unknown-name")
    await session.codes("app.lpcl")
    session.close("app.lpcl")
    await session.codes("blas.lpcl")


async def test_hover(session: Session, blas: Text) -> None:
    session.open("blas.lpcl", blas("", ""))
    found = await session.client.text_document_hover_async(
        types.HoverParams(**session.place("blas.lpcl", "size threads", 6))
    )
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    assert found.contents.kind is types.MarkupKind.Markdown
    assert "Threads of the pool." in found.contents.value
    assert "on this machine" in found.contents.value


async def test_definition_in_another_file(session: Session, blas: Text, application: Text) -> None:
    session.write("blas.lpcl", blas("", ""))
    session.open("app.lpcl", application("", ""))
    found = await session.client.text_document_definition_async(
        types.DefinitionParams(**session.place("app.lpcl", "openblas.matmul", 12))
    )
    assert isinstance(found, list)
    assert [item.uri for item in found if isinstance(item, types.Location)] == [session.uri("blas.lpcl")]


async def test_completion(session: Session, application: Text, blas: Text) -> None:
    session.write("blas.lpcl", blas("", ""))
    session.open("app.lpcl", application("openblas.matmul(", "openblas.ma("))
    found = await session.client.text_document_completion_async(
        types.CompletionParams(**session.place("app.lpcl", "openblas.ma(", 11))
    )
    assert isinstance(found, types.CompletionList)
    (item,) = [item for item in found.items if item.label == "matmul"]
    assert isinstance(item.text_edit, types.TextEdit)
    start = Positions(session.texts["app.lpcl"]).position(session.texts["app.lpcl"].index("ma("))
    assert item.text_edit.range.start == start
    assert item.documentation == types.MarkupContent(types.MarkupKind.Markdown, "One product.")


async def test_a_quick_fix(session: Session, blas: Text) -> None:
    session.open("blas.lpcl", blas("size threads", "size thraeds"))
    (found,) = await session.codes("blas.lpcl", "unknown-name")
    asked = types.CodeActionParams(
        types.TextDocumentIdentifier(session.uri("blas.lpcl")), found.range, types.CodeActionContext([found])
    )
    (action,) = await session.client.text_document_code_action_async(asked) or ()
    assert isinstance(action, types.CodeAction)
    assert list(action.diagnostics or ()) == [found]
    assert action.edit is not None
    edits = {uri: list(made) for uri, made in (action.edit.changes or {}).items()}
    assert edits == {session.uri("blas.lpcl"): [types.TextEdit(found.range, "threads")]}


async def test_renaming(session: Session, blas: Text, application: Text) -> None:
    session.write("blas.lpcl", blas("", ""))
    session.open("app.lpcl", application("", ""))
    place = session.place("app.lpcl", "openblas.matmul", 12)
    prepared = await session.client.text_document_prepare_rename_async(types.PrepareRenameParams(**place))
    assert isinstance(prepared, types.Range)
    found = await session.client.text_document_rename_async(types.RenameParams(new_name="product", **place))
    assert found is not None
    assert set(found.changes or ()) == {session.uri("app.lpcl"), session.uri("blas.lpcl")}
    named = await session.client.text_document_references_async(
        types.ReferenceParams(context=types.ReferenceContext(include_declaration=True), **place)
    )
    assert len(named or ()) == 3
    with pytest.raises(JsonRpcException, match="`matmul` cannot be called `both`") as refused:
        await session.client.text_document_rename_async(types.RenameParams(new_name="both", **place))
    assert refused.value.code == types.LSPErrorCodes.RequestFailed


async def test_outline_and_folding(session: Session, blas: Text) -> None:
    session.open("blas.lpcl", blas("", ""))
    identifier = types.TextDocumentIdentifier(session.uri("blas.lpcl"))
    outline = await session.client.text_document_document_symbol_async(types.DocumentSymbolParams(identifier))
    assert outline
    (contract,) = outline
    assert isinstance(contract, types.DocumentSymbol)
    names = [child.name for child in contract.children or ()]
    assert names == ["threads", "mode", "half", "workers", "matmul", "both", "waiting"]
    folds = await session.client.text_document_folding_range_async(types.FoldingRangeParams(identifier))
    text = blas("", "").splitlines()
    assert folds
    assert {text[item.start_line].split("{")[0].strip() for item in folds} == {
        "contract openblas",
        "control threads: count in 1..64",
    }


async def test_questions_about_unknown_documents_are_answered(session: Session) -> None:
    session.texts["none.lpcl"] = "x"
    place = session.place("none.lpcl", "x")
    session.texts.clear()
    assert await session.client.text_document_hover_async(types.HoverParams(**place)) is None
    assert not await session.client.text_document_definition_async(types.DefinitionParams(**place))


async def test_a_document_that_was_never_saved(session: Session) -> None:
    item = types.TextDocumentItem(
        "untitled:Untitled-1", "lpcl", 1, "contract a { control n: count { default m } }"
    )
    session.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    end = time.monotonic() + 15
    while not session.client.diagnostics.get(item.uri) and time.monotonic() < end:
        await asyncio.sleep(0.01)
    assert [found.code for found in session.client.diagnostics[item.uri]] == ["unknown-name"]
    session.client.text_document_did_close(
        types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(item.uri))
    )


async def test_a_burst_of_edits_ends_in_the_findings_of_the_last(session: Session, blas: Text) -> None:
    session.open("blas.lpcl", blas("", ""))
    await session.codes("blas.lpcl")
    for number in range(30):
        session.edit("blas.lpcl", blas("size threads", f"size thread{number}"))
    (found,) = await session.codes("blas.lpcl", "unknown-name")
    while "thread29" not in found.message:
        await asyncio.sleep(0.01)
        (found,) = await session.codes("blas.lpcl", "unknown-name")


async def test_what_values_can_come_to_follows_a_moment_later(session: Session) -> None:
    text = "contract a {\n  control n: count in 1..64 { env N  default machine.cpus.online }\n  let m = n\n"
    text += "  pool t { size m  callers fork }\n}\n"
    session.open("a.lpcl", text)
    (found,) = await session.codes("a.lpcl", "default-out-of-range")
    assert "note: so it is with machine.cpus.online = 128" in found.message
    session.edit("a.lpcl", text.replace("machine.cpus.online", "min(machine.cpus.online, 64)"))
    await session.codes("a.lpcl")
    session.edit("a.lpcl", text.replace("default machine.cpus.online", "default 64 div (n - n)"))
    await session.until("a.lpcl", lambda codes: "division-by-zero" in codes or "cyclic-value" in codes)
