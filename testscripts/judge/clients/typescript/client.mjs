// The official TypeScript SDK client: node client.mjs CALLS COMMAND [ARGS...]
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [callsFile, command, ...args] = process.argv.slice(2);
const client = new Client({ name: "judge-typescript", version: "1" });
let faults = 0;
const check = (ok, what) => {
  console.log(`${ok ? "ok  " : "FAIL"} ${what}`);
  if (!ok) faults++;
};
client.onerror = (e) => check(false, `transport: ${e.message ?? e}`);

await client.connect(new StdioClientTransport({ command, args, stderr: "inherit", env: process.env }));
check(client.getServerVersion()?.name === "slipstream", "initialize");
await client.ping();
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
