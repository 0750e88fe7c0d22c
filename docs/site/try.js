// The page try.html: Python in the browser (Pyodide), searchkit in it, and a puzzle to change.
// A test runs `prepare` and `run` in Node.js, with packages of its own in place of those of the network.

export const PYODIDE = "https://cdn.jsdelivr.net/pyodide/v314.0.7/full/";

const RUN = `
import contextlib, io, sys, traceback
def run_puzzle(text):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            with open("puzzle.py", "w", encoding="utf-8") as file:
                file.write(text)
            exec(compile(text, "puzzle.py", "exec"), {"__name__": "__main__"})
        except SystemExit:
            pass
        except BaseException:
            traceback.print_exc()
    return out.getvalue()
`;

/** Make Python ready: `install(python)` puts searchkit into it. */
export async function prepare(python, install) {
  await install(python);
  python.runPython(RUN);
}

/** What the program `text` prints. */
export function run(python, text) {
  const puzzle = python.globals.get("run_puzzle");
  try {
    return puzzle(text);
  } finally {
    puzzle.destroy();
  }
}

async function fromNetwork(python) {
  await python.loadPackage("micropip");
  const name = (await (await fetch("try/wheel.txt")).text()).trim();
  const micropip = python.pyimport("micropip");
  await micropip.install(new URL(`try/${name}`, document.baseURI).href);
}

function start() {
  const [button, text, out] = ["run", "puzzle", "out"].map((name) => document.getElementById(`try-${name}`));
  let python;
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      if (!python) {
        out.textContent = "Loading Python and searchkit, some 20 MB …";
        const { loadPyodide } = await import(`${PYODIDE}pyodide.mjs`);
        const loaded = await loadPyodide({ indexURL: PYODIDE });
        await prepare(loaded, fromNetwork);
        python = loaded;
      }
      out.textContent = "Searching …";
      await new Promise((resume) => setTimeout(resume, 50)); // lets the page be drawn
      out.textContent = run(python, text.value) || "It prints nothing.";
    } catch (error) {
      out.textContent = `Python could not be loaded: ${error}`;
    } finally {
      button.disabled = false;
    }
  });
}

if (typeof document !== "undefined") {
  start();
}
