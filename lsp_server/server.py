"""The language server: the one place where features, documents and the protocol are bound together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

import lpcl
from lsp_server.documents import Documents
from lsp_server.features.actions import KINDS, actions
from lsp_server.features.completion import TRIGGERS, completion
from lsp_server.features.definition import definition
from lsp_server.features.diagnostics import Board, findings
from lsp_server.features.folding import folding
from lsp_server.features.hover import hover, word_help
from lsp_server.features.rename import Refused, place, references, rename
from lsp_server.features.symbols import symbols
from lsp_server.scheduling import Debounced
from lsp_server.views import View, Views

_log = logging.getLogger(__name__)

QUIET = 0.08
"""Seconds without a keystroke after which a document is checked."""

CALM = 0.7
"""Seconds without a keystroke after which values are looked at, which may take as long again."""

REQUEST_FAILED = types.LSPErrorCodes.RequestFailed.value

AnswerT = TypeVar("AnswerT")


class Server(LanguageServer):
    """Documents are kept as whole texts; whatever looks at a program runs in one worker thread, in order."""

    def __init__(self) -> None:
        super().__init__("lpcl-lsp", lpcl.__version__, types.TextDocumentSyncKind.Full)
        self.documents = Documents()
        self.views = Views(self.documents)
        self.board = Board()
        self.checking = Debounced(self._check, QUIET)
        self.judging = Debounced(self._judge, CALM)
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="lpcl")
        self._judge_worker = ThreadPoolExecutor(1, thread_name_prefix="lpcl-values")
        self._changed: str | None = None

    # -------------------------------------------------------------- requests

    async def ask(self, uri: str, question: Callable[[View], AnswerT]) -> AnswerT | None:
        """The answer of a feature about a document; None where it is not open."""

        def answer() -> AnswerT | None:
            view = self.views.view(self.documents.path(uri))
            return None if view is None else question(view)

        return await asyncio.get_running_loop().run_in_executor(self._worker, answer)

    # -------------------------------------------------------------- findings

    def changed(self, path: str, *, at_once: bool = False) -> None:
        """Check all open documents again, the one at `path` first; later what values in it can come to."""
        self._changed = path
        self.checking.ask(at_once=at_once)
        self.judging.ask()

    async def _check(self) -> None:
        first = self._changed
        for path in sorted(self.documents.paths(), key=lambda item: item != first):
            document = self.documents.get(path)
            if document is None:
                continue
            try:
                found = await self.ask(document.uri, lambda view: findings(view, self.documents.uri))
            except Exception:
                _log.exception("the check of %s failed", path)
                continue
            if found is not None and self.documents.get(path) is document:
                self.publish(self.board.put(path, found))

    async def _judge(self) -> None:
        """Look at what values can come to in the document that was changed last, beside all other work."""
        path = self._changed
        document = self.documents.get(path) if path is not None else None
        if path is None or document is None:
            return
        await self.checking.done()
        view = await self.ask(document.uri, lambda view: view)
        if view is None:
            return
        found = await asyncio.get_running_loop().run_in_executor(
            self._judge_worker, lambda: findings(view, self.documents.uri, values=True)
        )
        if self.documents.get(path) is document and not self.board.has(path, found):
            self.publish(self.board.put(path, found))

    def publish(self, changes: dict[str, tuple[types.Diagnostic, ...]]) -> None:
        """Send the findings of files."""
        for path, found in changes.items():
            document = self.documents.get(path)
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(
                    uri=self.documents.uri(path),
                    diagnostics=list(found),
                    version=document.version if document is not None else None,
                )
            )

    def shutdown(self) -> None:
        """End the worker with the server."""
        self.judging.drop()
        self._worker.shutdown(wait=False, cancel_futures=True)
        self._judge_worker.shutdown(wait=False, cancel_futures=True)
        super().shutdown()  # type: ignore[no-untyped-call]  # pygls says nothing of its types


def create() -> Server:
    """A server with all features bound to the protocol."""
    server = Server()
    _bind_documents(server)
    _bind_features(server)
    return server


def _bind_documents(server: Server) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(ls: Server, params: types.InitializeParams) -> None:
        ls.documents.root = ls.documents.path(params.root_uri) if params.root_uri else None
        ls.views.encoding = ls.workspace.position_encoding or types.PositionEncodingKind.Utf16

    @server.feature(types.INITIALIZED)
    async def initialized(ls: Server, params: types.InitializedParams) -> None:  # noqa: ARG001
        await _watch_files(ls)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        ls.changed(ls.documents.put(item.uri, item.version, item.text).path, at_once=True)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def edited(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        item = params.text_document
        text = ls.workspace.get_text_document(item.uri).source
        ls.changed(ls.documents.put(item.uri, item.version, text).path)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        path = ls.documents.close(uri)
        changes = ls.board.remove(path)
        ls.publish(changes)
        ls.changed(path)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        ls.documents.stale()
        ls.changed(ls.documents.path(params.text_document.uri))

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def watched(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
        ls.documents.stale()
        for event in params.changes:
            ls.changed(ls.documents.path(event.uri))


async def _watch_files(server: Server) -> None:
    """Ask the editor, if it can, to tell of contracts and settings that change on disk."""
    workspace = server.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace is not None else None
    if watching is None or not watching.dynamic_registration:
        return
    options = types.DidChangeWatchedFilesRegistrationOptions(
        [types.FileSystemWatcher(pattern) for pattern in ("**/*.lpcl", "**/pyproject.toml")]
    )
    registration = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    try:
        await server.client_register_capability_async(types.RegistrationParams([registration]))
        server.documents.watched = True
    except JsonRpcException:
        _log.warning("the editor does not watch files after all")


def _bind_features(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def on_hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
        def answer(view: View) -> types.Hover | None:
            offset = view.positions.offset(params.position)
            return hover(view, offset) or word_help(view, offset)

        return await ls.ask(params.text_document.uri, answer)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def on_definition(ls: Server, params: types.DefinitionParams) -> list[types.Location] | None:
        return await ls.ask(
            params.text_document.uri,
            lambda view: definition(view, view.positions.offset(params.position), ls.documents.uri),
        )

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=list(TRIGGERS))
    )
    async def on_completion(ls: Server, params: types.CompletionParams) -> types.CompletionList:
        items = await ls.ask(
            params.text_document.uri,
            lambda view: completion(ls.views, view, view.positions.offset(params.position)),
        )
        return types.CompletionList(is_incomplete=False, items=items or [])

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def on_symbols(ls: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
        return await ls.ask(params.text_document.uri, symbols)

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def on_folding(ls: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
        return await ls.ask(params.text_document.uri, folding)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(list(KINDS)))
    async def on_actions(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction] | None:
        return await ls.ask(
            params.text_document.uri,
            lambda view: actions(view, params.range, params.context, ls.documents.uri),
        )

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def on_references(ls: Server, params: types.ReferenceParams) -> list[types.Location] | None:
        return await ls.ask(
            params.text_document.uri,
            lambda view: references(
                view,
                lambda texts: ls.views.project(view, texts),
                view.positions.offset(params.position),
                ls.documents.uri,
                declaring=params.context.include_declaration,
            ),
        )

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def on_prepare(ls: Server, params: types.PrepareRenameParams) -> types.Range | None:
        return await ls.ask(
            params.text_document.uri, lambda view: place(view, view.positions.offset(params.position))
        )

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def on_rename(ls: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
        try:
            return await ls.ask(
                params.text_document.uri,
                lambda view: rename(
                    view,
                    lambda texts: ls.views.project(view, texts),
                    view.positions.offset(params.position),
                    params.new_name,
                    ls.documents.uri,
                ),
            )
        except Refused as refused:
            raise JsonRpcException(str(refused), code=REQUEST_FAILED) from refused
