/** Speaks the Model Context Protocol. The build makes it a file of its own, which only the command `mcp` loads. */
import { addAbortSignal, PassThrough, type Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { type Tool as ListedTool, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Tool } from "../tools/tool.js";

export interface ProtocolOptions {
  readonly version: string;
  readonly tools: readonly Tool[];
  /** The names of the tools that exist, but need `--write`. */
  readonly withheld: readonly string[];
  readonly input: Readable;
  /** Writes to the real standard output. */
  readonly write: (text: string | Uint8Array, done: (error?: Error | null) => void) => void;
  /** Called with a line for the user for each refused line of the input. */
  readonly onRefused: (message: string) => void;
  readonly signal: AbortSignal;
}

/** How long calls may still take when the input has ended. */
const GRACE_MS = 4_000;
const POLL_MS = 20;

/** A result as text for the model, and as data for the program of the host. */
const asResult = (result: object) => ({
  content: [{ type: "text" as const, text: JSON.stringify(result) }],
  structuredContent: { ...result },
  ...("error" in result ? { isError: true } : {}),
});

/** Serves `tools` until the input ends or the signal aborts. */
export async function serveTools(options: ProtocolOptions): Promise<void> {
  const { version, tools, withheld, write, signal } = options;
  let running = 0;
  const createServer = () => {
    const server = new Server({ name: "notetaker-sdk", version }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", () => ({
      tools: tools.map(({ name, title, description, annotations, jsonSchema }) => ({
        ...{ name, title, description, annotations },
        inputSchema: jsonSchema as ListedTool["inputSchema"],
      })),
    }));
    server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
      const tool = tools.find(({ name }) => name === params.name);
      if (withheld.includes(params.name)) {
        const message = `${params.name} may change the account; the user can start the server with --write`;
        return asResult({ error: { name: "NotAllowed", message } });
      }
      if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "unknown tool");
      running += 1;
      try {
        return asResult(await tool.execute(params.arguments, { signal: mcpReq.signal }));
      } finally {
        running -= 1;
      }
    });
    return server;
  };
  const output = new Writable({ write: (chunk, _encoding, done) => write(chunk, done) });
  // A host that no longer reads has gone, although a program that it started may still hold the input open.
  output.on("error", () => options.input.destroy());
  // The transport aborts what is running when its input ends, so its input ends later than that of the process.
  const messages = new PassThrough();
  // The error of a parser may repeat the line.
  const onerror = () => options.onRefused("a line of the input is not a message of the protocol");
  const handle = serveStdio(createServer, { transport: new StdioServerTransport(messages, output), onerror });
  options.input.pipe(messages, { end: false });
  // An input that fails has ended.
  await finished(addAbortSignal(signal, options.input), { writable: false }).catch(() => {});
  const pause = () => new Promise((resolve) => setTimeout(resolve, POLL_MS));
  const lastMoment = performance.now() + GRACE_MS;
  // At least one pause: the last message may just have been read.
  do await pause();
  while (!signal.aborted && !output.destroyed && running > 0 && performance.now() < lastMoment);
  await handle.close();
}
