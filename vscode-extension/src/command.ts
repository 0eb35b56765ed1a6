/** Where the language server is found. Nothing here knows of VS Code, so that it can be tested by itself. */
import * as path from "node:path";

export const SERVER = "lpcl-lsp";

export interface Surroundings {
  /** The setting `lpcl.server.command`. */
  readonly configured: readonly string[];
  /** The selected Python interpreter, where one is known. */
  readonly interpreter: string | undefined;
  /** The folders of the workspace. */
  readonly folders: readonly string[];
  /** The value of `PATH`. */
  readonly searchPath: string;
  readonly windows: boolean;
  /** Whether a file can be run. */
  readonly exists: (file: string) => boolean;
}

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** The command that starts the server, or undefined where there is none. */
export function findServer(around: Surroundings): ServerCommand | undefined {
  const [command, ...args] = around.configured;
  if (command !== undefined && command.trim() !== "") {
    return { command, args };
  }
  const found = candidates(around).find(around.exists);
  return found === undefined ? undefined : { command: found, args: [] };
}

/** Beside the selected interpreter, in a folder's own environment, on the search path: in this order. */
function candidates(around: Surroundings): string[] {
  const { windows } = around;
  const join = windows ? path.win32.join : path.posix.join;
  const name = windows ? `${SERVER}.exe` : SERVER;
  const scripts = windows ? "Scripts" : "bin";
  const places: string[] = [];
  if (around.interpreter !== undefined) {
    const home = (windows ? path.win32 : path.posix).dirname(around.interpreter);
    places.push(home, ...(windows ? [join(home, scripts)] : []));
  }
  places.push(...around.folders.map((folder) => join(folder, ".venv", scripts)));
  places.push(...around.searchPath.split(windows ? ";" : ":").filter((folder) => folder !== ""));
  return places.map((folder) => join(folder, name));
}
