// Bundles the extension into dist/extension.js; with --test, the unit tests into dist/test/.
import { build } from "esbuild";
import { readdirSync } from "node:fs";

const testing = process.argv.includes("--test");
const common = { bundle: true, platform: "node", target: "node20", format: "cjs", logLevel: "warning" };

if (testing) {
  const tests = readdirSync("test").filter((name) => name.endsWith(".test.ts"));
  await build({ ...common, entryPoints: tests.map((name) => `test/${name}`), outdir: "dist/test" });
} else {
  await build({
    ...common,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    external: ["vscode"],
    minify: true,
  });
}
