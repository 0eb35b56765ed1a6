/** Starts the LPCL language server and keeps it running with the settings of the moment. */
import { accessSync, constants } from "node:fs";
import { commands, type ExtensionContext, window, workspace } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { findServer, SERVER } from "./command";
import { selectedInterpreter } from "./interpreter";

let client: LanguageClient | undefined;
let turn: Promise<void> = Promise.resolve();

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    commands.registerCommand("lpcl.restartServer", () => inTurn(restart)),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("lpcl.server.command") || event.affectsConfiguration("python")) {
        void inTurn(restart);
      }
    }),
    workspace.onDidGrantWorkspaceTrust(() => inTurn(restart)),
  );
  await inTurn(restart);
}

export function deactivate(): Promise<void> {
  return inTurn(stop);
}

/** One start or stop after the other: settings may change while the server is still starting. */
function inTurn(step: () => Promise<void>): Promise<void> {
  turn = turn.then(step, step);
  return turn;
}

async function stop(): Promise<void> {
  const old = client;
  client = undefined;
  await old?.dispose().catch(() => undefined);
}

async function restart(): Promise<void> {
  await stop();
  if (!workspace.isTrusted) {
    return;
  }
  const found = findServer({
    configured: workspace.getConfiguration("lpcl").get<string[]>("server.command", []),
    interpreter: await selectedInterpreter(),
    folders: (workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
    searchPath: process.env["PATH"] ?? "",
    windows: process.platform === "win32",
    exists: isExecutable,
  });
  if (found === undefined) {
    void explain(`LPCL: the language server \`${SERVER}\` was not found. Install it with \`pip install lpcl\`.`);
    return;
  }
  client = new LanguageClient(
    "lpcl",
    "LPCL",
    { command: found.command, args: [...found.args] },
    {
      documentSelector: [
        { scheme: "file", language: "lpcl" },
        { scheme: "untitled", language: "lpcl" },
      ],
    },
  );
  try {
    await client.start();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void explain(`LPCL: the language server \`${found.command}\` did not start: ${reason}`);
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function explain(message: string): Promise<void> {
  const settings = "Open Settings";
  if ((await window.showErrorMessage(message, settings)) === settings) {
    await commands.executeCommand("workbench.action.openSettings", "lpcl.server.command");
  }
}
