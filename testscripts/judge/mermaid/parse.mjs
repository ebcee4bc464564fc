// Has Mermaid's own parser read every diagram: the goldens below the folder
// named first, and the list of {name, text} in the JSON file named second.
// Prints each one it rejects, and exits 1 when there is one.
import fs from "node:fs";
import path from "node:path";
import { JSDOM } from "jsdom";

const { window } = new JSDOM("<!DOCTYPE html><body></body>");
Object.assign(globalThis, { window, document: window.document, Option: window.Option });
const { default: mermaid } = await import("mermaid");
mermaid.initialize({ startOnLoad: false });

const [folder, generated] = process.argv.slice(2);
const goldens = fs
  .readdirSync(folder, { recursive: true })
  .filter((name) => name.endsWith(".mmd"))
  .map((name) => ({ name, text: fs.readFileSync(path.join(folder, name), "utf8") }));
if (goldens.length === 0) throw new Error(`no goldens below ${folder}`);

const types = { mindmap: "mindmap", flowchart: "flowchart-v2", sequence: "sequence", class: "classDiagram", state: "stateDiagram" };
let rejected = 0;
for (const { name, text } of [...goldens, ...JSON.parse(fs.readFileSync(generated, "utf8"))]) {
  try {
    const { diagramType } = await mermaid.parse(text);
    const want = types[name.split(/[-/]/)[0]];
    if (diagramType !== want) throw new Error(`read as ${diagramType}, not ${want}`);
  } catch (err) {
    rejected++;
    console.error(`${name}: ${err.message}\n${text.length > 4000 ? text.length + " characters" : text}`);
  }
}
console.log(`${goldens.length} goldens and the generated diagrams: ${rejected} rejected`);
process.exit(rejected ? 1 : 0);
