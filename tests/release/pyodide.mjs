// node pyodide.mjs PYODIDE PAGE ARCHIVE < programs.json: what each program prints, in Python for browsers.
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [module, page, archive] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(module).href);
const { prepare, run } = await import(pathToFileURL(page).href);
try {
  const python = await loadPyodide();
  await prepare(python, async () => python.unpackArchive(new Uint8Array(fs.readFileSync(archive)), "zip", {
    extractDir: python.runPython("import site; site.getsitepackages()[0]"),
  }));
  const programs = JSON.parse(fs.readFileSync(0, "utf8"));
  fs.writeSync(1, JSON.stringify(programs.map((text) => run(python, text))));
} catch (error) {
  fs.writeSync(2, String(error).slice(-3000)); // without the megabytes that Node.js shows
  process.exit(1);
}
