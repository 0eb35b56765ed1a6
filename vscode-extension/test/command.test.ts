import assert from "node:assert/strict";
import { test } from "node:test";
import { findServer, type Surroundings } from "../src/command";

function around(files: readonly string[], changes: Partial<Surroundings> = {}): Surroundings {
  return {
    configured: [],
    interpreter: undefined,
    folders: ["/project"],
    searchPath: "/usr/local/bin::/usr/bin",
    windows: false,
    exists: (file) => files.includes(file),
    ...changes,
  };
}

test("the setting comes before everything else, with its arguments", () => {
  const found = findServer(around(["/usr/bin/lpcl-lsp"], { configured: ["python3", "-m", "lsp_server"] }));
  assert.deepEqual(found, { command: "python3", args: ["-m", "lsp_server"] });
});

test("the selected interpreter's server comes before the folder's and the one on the path", () => {
  const files = ["/venvs/a/bin/lpcl-lsp", "/project/.venv/bin/lpcl-lsp", "/usr/bin/lpcl-lsp"];
  assert.equal(findServer(around(files, { interpreter: "/venvs/a/bin/python" }))?.command, files[0]);
  assert.equal(findServer(around(files))?.command, files[1]);
});

test("an interpreter without the server falls back to the path, in its order", () => {
  const files = ["/usr/bin/lpcl-lsp", "/usr/local/bin/lpcl-lsp"];
  const found = findServer(around(files, { interpreter: "/venvs/a/bin/python" }));
  assert.equal(found?.command, "/usr/local/bin/lpcl-lsp");
});

test("Windows keeps its scripts elsewhere", () => {
  const files = ["C:\\venv\\Scripts\\lpcl-lsp.exe"];
  const changes = { windows: true, interpreter: "C:\\venv\\Scripts\\python.exe", folders: [], searchPath: "" };
  assert.equal(findServer(around(files, changes))?.command, files[0]);
});

test("nothing found is undefined, and an empty setting is none", () => {
  assert.equal(findServer(around([], { configured: [" "] })), undefined);
});
