// Serves a stdio server as Streamable HTTP on loopback, which is all the conformance suite speaks:
//   node bridge.mjs COMMAND [ARGS...]     prints its address as its first line
// A client that initialises gets a process of its own; stateless requests share one. What only HTTP knows (sessions, status
// codes, headers, origins) is done here and says nothing about the server.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import http from "node:http";

const META = "io.modelcontextprotocol/";
const [command, ...args] = process.argv.slice(2);

// One running server. Requests get ids of our own, since several HTTP clients share it.
class Server {
  constructor() {
    this.pending = new Map();
    this.next = 1;
    this.process = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.process.stdin.on("error", () => {});
    this.process.stdout.setEncoding("utf8");
    let rest = "";
    this.process.stdout.on("data", (data) => {
      const lines = (rest + data).split("\n");
      rest = lines.pop();
      lines.forEach((line) => this.receive(line));
    });
    this.process.on("exit", () => {
      for (const p of this.pending.values()) p.done(failure(p.id, -32603, "the server has left"));
      this.pending.clear();
    });
  }

  receive(line) {
    const message = JSON.parse(line); // anything else on stdout is a fault that may end us
    if (message.method) return this.notify(message);
    const p = this.pending.get(message.id);
    if (!p) return;
    this.pending.delete(message.id);
    retag(message.result?._meta, p.id);
    p.done({ ...message, id: p.id });
  }

  // A notification belongs to the request whose subscription or progress token it names.
  notify(message) {
    const { _meta: meta, progressToken } = message.params ?? {};
    const subscription = meta?.[META + "subscriptionId"];
    for (const [id, p] of this.pending) {
      if (subscription === undefined ? progressToken !== p.token : subscription !== id) continue;
      retag(meta, p.id);
      p.note(message);
    }
  }

  send(message) {
    this.process.stdin.write(JSON.stringify(message) + "\n");
  }

  // Returns what to call when the client hangs up.
  request(message, note, done) {
    const id = this.next++;
    this.pending.set(id, { id: message.id, token: message.params?._meta?.progressToken, note, done });
    this.send({ ...message, id });
    return () => {
      if (this.pending.delete(id)) this.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
    };
  }
}

function retag(meta, id) {
  if (meta?.[META + "subscriptionId"] !== undefined) meta[META + "subscriptionId"] = id;
}

const failure = (id, code, message) => ({ jsonrpc: "2.0", id, error: { code, message } });

const sessions = new Map();
let shared;

// Finds the server for a message, or says why there is none: [server, headers, status, refusal].
function route(message, headers) {
  const meta = message.params?._meta;
  const stated = meta?.[META + "protocolVersion"];
  const version = headers["mcp-protocol-version"];
  if (stated !== undefined || (version ?? "") >= "2026") {
    if (message.id !== undefined) {
      if (stated !== undefined && version !== stated) return [null, {}, 400, failure(message.id, -32020, "MCP-Protocol-Version differs from _meta")];
      const method = headers["mcp-method"];
      if (method !== undefined && method !== message.method) return [null, {}, 400, failure(message.id, -32020, "Mcp-Method differs from method")];
    }
    return [(shared ??= new Server()), {}];
  }
  if (message.method === "initialize") {
    const id = randomUUID();
    sessions.set(id, new Server());
    return [sessions.get(id), { "mcp-session-id": id }];
  }
  const id = headers["mcp-session-id"];
  const known = sessions.get(id);
  return known ? [known, {}] : [null, {}, id ? 404 : 400, failure(message.id ?? null, -32600, "no such session")];
}

// The status that stands for an error of a stateless request. Bad parameters are the request's fault only if they are _meta's.
function status(message, answer) {
  const code = answer.error?.code;
  const meta = message.params?._meta ?? {};
  const stated = META + "protocolVersion" in meta && META + "clientCapabilities" in meta;
  if (code === -32602) return stated ? 200 : 400;
  return { [-32601]: 404, [-32600]: 400, [-32700]: 400, [-32020]: 400, [-32021]: 400, [-32022]: 400 }[code] ?? 200;
}

function post(request, response, body) {
  const reply = (code, value, headers = {}) => {
    response.writeHead(code, { "content-type": "application/json", ...headers });
    response.end(value === undefined ? "" : JSON.stringify(value));
  };
  let message;
  try {
    message = JSON.parse(body);
  } catch {
    return reply(400, failure(null, -32700, "not JSON"));
  }
  const [server, headers, code, refusal] = route(message, request.headers);
  if (!server) return reply(code, refusal);
  if (message.id === undefined || !message.method) {
    server.send(message);
    return reply(202);
  }
  const event = (value) => {
    if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache", ...headers });
    response.write(`event: message\ndata: ${JSON.stringify(value)}\n\n`);
  };
  const hangUp = server.request(message, event, (answer) => {
    if (!response.headersSent) return reply(server === shared ? status(message, answer) : 200, answer, headers);
    event(answer);
    response.end();
  });
  response.on("close", () => {
    if (!response.writableEnded) hangUp();
  });
}

const LOOPBACK = /^(https?:\/\/)?(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

const front = http.createServer((request, response) => {
  const { host = "", origin = "http://localhost" } = request.headers;
  if (!LOOPBACK.test(host) || !LOOPBACK.test(origin)) return response.writeHead(403).end();
  if (request.method === "DELETE") {
    const id = request.headers["mcp-session-id"];
    sessions.get(id)?.process.stdin.end();
    return response.writeHead(sessions.delete(id) ? 200 : 404).end();
  }
  if (request.method !== "POST") return response.writeHead(405).end();
  let body = "";
  request.on("data", (data) => (body += data));
  request.on("end", () => post(request, response, body));
});
front.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${front.address().port}/mcp`));
