/** The Python interpreter that the user has selected, from the Python extension or its setting. */
import { extensions, workspace } from "vscode";

/** The part of the Python extension's interface that is used here. */
interface PythonApi {
  readonly environments?: {
    getActiveEnvironmentPath(): { readonly path: string };
    resolveEnvironment(
      place: unknown,
    ): Promise<{ readonly executable: { readonly uri?: { readonly fsPath: string } | undefined } } | undefined>;
  };
}

export async function selectedInterpreter(): Promise<string | undefined> {
  const python = extensions.getExtension<PythonApi>("ms-python.python");
  if (python !== undefined) {
    try {
      const { environments } = python.isActive ? python.exports : await python.activate();
      const resolved = await environments?.resolveEnvironment(environments.getActiveEnvironmentPath());
      const file = resolved?.executable.uri?.fsPath;
      if (file !== undefined) {
        return file;
      }
    } catch {
      // An interpreter that cannot be told is no reason to go without a server: the setting is asked next.
    }
  }
  const configured = workspace.getConfiguration("python").get<string>("defaultInterpreterPath");
  return configured !== undefined && configured.includes("/") ? configured : undefined;
}
