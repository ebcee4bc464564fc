// The official TypeScript SDK clients: node client.mjs v1|auto|modern|legacy CALLS COMMAND [ARGS...]
// v1 is the old package; the others are how the new one opens a connection.
import { readFileSync } from "node:fs";

const [mode, callsFile, command, ...args] = process.argv.slice(2);
const v1 = mode === "v1";
const home = v1 ? "@modelcontextprotocol/sdk/client" : "@modelcontextprotocol/client";
const { Client } = await import(v1 ? `${home}/index.js` : home);
const { StdioClientTransport } = await import(v1 ? `${home}/stdio.js` : `${home}/stdio`);
const options = v1 ? {} : { versionNegotiation: { mode: mode === "modern" ? { pin: "2026-07-28" } : mode } };
const client = new Client({ name: "judge-typescript", version: "1" }, options);
const stateless = mode === "auto" || mode === "modern";
let faults = 0;
const check = (ok, what) => {
  console.log(`${ok ? "ok  " : "FAIL"} ${what}`);
  if (!ok) faults++;
};
client.onerror = (e) => check(false, `transport: ${e.message ?? e}`);

await client.connect(new StdioClientTransport({ command, args, stderr: "inherit", env: process.env }));
check(client.getServerVersion()?.name === "slipstream", "the server says its name");
check(client.getInstructions()?.includes("sp_map"), "and when to use it");
if (!v1) {
  const version = client.getNegotiatedProtocolVersion();
  check(version === (stateless ? "2026-07-28" : "2025-11-25"), `revision ${version}`);
}
if (!stateless) await client.ping();
const names = (await client.listTools()).tools.map((t) => t.name);
for (const call of JSON.parse(readFileSync(callsFile, "utf8"))) {
  let got, text;
  try {
    const r = await client.callTool({ name: call.name, arguments: call.arguments });
    got = r.isError ? "isError" : "ok";
    text = r.content.map((c) => c.text).join("\n");
  } catch (e) {
    got = "error";
    text = e.message;
  }
  check(got === call.expect && text.includes(call.holds), `${call.name} ${JSON.stringify(call.arguments)}: ${got}`);
  if (call.expect === "ok") check(names.includes(call.name), `${call.name} is listed`);
}
const start = performance.now();
await client.close();
const ms = Math.round(performance.now() - start);
check(ms < 1000, `the server left ${ms} ms after its input ended`);
process.exit(faults ? 1 : 0);
