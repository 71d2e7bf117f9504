/** Speaks the Model Context Protocol. The build makes it a file of its own, which only the command `mcp` loads. */
import { addAbortSignal, type Readable, Transform, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import {
  isJSONRPCRequest,
  type Tool as ListedTool,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { isRecord } from "../json/is-record.js";
import { parseJson } from "../json/parse-json.js";
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

const refusal = (id: unknown, code: number, message: string) => ({ jsonrpc: "2.0", id, error: { code, message } });

/** The error that answers a line if it is not JSON, or a request that the library would leave without an answer. */
function refusalOf(line: string): object | undefined {
  const message = parseJson(line);
  if (message === undefined) return refusal(null, ProtocolErrorCode.ParseError, "the line is not JSON");
  const { id, method } = isRecord(message) ? message : {};
  const isAnswerable = typeof method === "string" && (typeof id === "string" || typeof id === "number");
  if (!isAnswerable || isJSONRPCRequest(message)) return undefined;
  return refusal(id, ProtocolErrorCode.InvalidRequest, "not a request of the protocol");
}

/** In characters. */
const MAX_LINE = 10_000_000;
const TOO_LONG = refusal(null, ProtocolErrorCode.InvalidRequest, "the line is longer than 10,000,000 characters");

/** Passes on the lines that are not refused. */
function acceptedLines(refuse: (refusal: object) => void): Transform {
  const decoder = new TextDecoder();
  let rest = "";
  /** Whether this is the rest of a line that was refused. */
  let isRefused = false;
  const accepts = (line: string) => {
    const refusal = line.trim() === "" ? undefined : refusalOf(line);
    if (refusal !== undefined) refuse(refusal);
    return refusal === undefined;
  };
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      // Only the new text is searched: a long line may come in many chunks.
      const lines = decoder.decode(chunk, { stream: true }).split("\n");
      lines[0] = rest + lines[0];
      rest = lines.pop() ?? "";
      if (isRefused && lines.length > 0) {
        lines.shift();
        isRefused = false;
      }
      const isTooLong = rest.length > MAX_LINE;
      const passed = lines.filter(accepts).map((line) => `${line}\n`);
      if (isTooLong) refuse(TOO_LONG);
      isRefused ||= isTooLong;
      if (isRefused) rest = "";
      done(null, passed.join(""));
    },
  });
}

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
  // The real output keeps what its reader has not read yet, also beyond the end of this function.
  const output = new Writable({
    write(chunk, _encoding, done) {
      write(chunk, (error) => void (error && output.destroy(error)));
      done();
    },
  });
  // A host that no longer reads has gone, although a program that it started may still hold the input open.
  output.on("error", () => options.input.destroy());
  // The error of a parser may repeat the line.
  const onerror = () => options.onRefused("a line of the input is not a message of the protocol");
  // The transport aborts what is running when its input ends, so its input ends later than that of the process.
  const messages = acceptedLines((refusal) => {
    output.write(`${JSON.stringify(refusal)}\n`);
    onerror();
  });
  // What it receives are whole lines of a limited length. It would end at its own limit.
  const transport = new StdioServerTransport(messages, output, { maxBufferSize: Number.POSITIVE_INFINITY });
  const handle = serveStdio(createServer, { transport, onerror });
  options.input.pipe(messages, { end: false });
  // An input that fails has ended.
  await finished(addAbortSignal(signal, options.input), { writable: false }).catch(() => {});
  // The last line may have no end.
  messages.write("\n");
  const pause = () => new Promise((resolve) => setTimeout(resolve, POLL_MS));
  const lastMoment = performance.now() + GRACE_MS;
  // At least one pause: the last message may just have been read.
  do await pause();
  while (!signal.aborted && !output.destroyed && running > 0 && performance.now() < lastMoment);
  await handle.close();
}
