// Long texts that patterns could try again from each place. Its output is what went wrong.
import { readFileSync } from "node:fs";

class Element {
  append() {}
  replaceChildren() {}
}
globalThis.document = { createElement: () => new Element(), createTextNode: (text) => text, createDocumentFragment: () => new Element() };
const source = readFileSync(process.argv[2], "utf8");
const { render } = await import("data:text/javascript," + encodeURIComponent(source));

const n = 400_000;
for (const text of ["[".repeat(n), "[a](" + "b".repeat(n), "# " + " ".repeat(n) + "\rx", "# " + "#".repeat(n) + "x", "a|b\n-" + " ".repeat(n) + "x"]) {
  const shown = { replaceChildren() {} };
  render(shown, text);
  if (shown.textContent) console.log("no Markdown: " + text.slice(0, 10));
}
