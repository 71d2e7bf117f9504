/** The way in over HTTP, on this machine. The one place of the emulator that needs Node's modules, and only when called. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Incoming, type ServiceResult, truncatedBody } from "../http/exchange.js";
import { BodyCollector } from "./read-body.js";

export interface ListenOptions {
  /** Default: 0, any free port. */
  port?: number | undefined;
  /** Default: `127.0.0.1`. */
  host?: string | undefined;
  /**
   * The origin whose pages may call it from a browser, such as `http://localhost:5173`, or `*`. Default: none. Whether the
   * service itself can be called from a page is not known; a token does not belong in one in any case.
   */
  cors?: string | undefined;
}

export interface Listening {
  /** The base address, ending in `/v1`: what a client takes as its `baseUrl`. */
  url: string;
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
}

/** `node:http`, by a way that bundlers for browsers do not follow and that test runners with a module system of their own know. */
async function nodeHttp(): Promise<typeof import("node:http")> {
  const name = "node:http";
  const builtin = (
    globalThis.process as { getBuiltinModule?: (name: string) => unknown } | undefined
  )?.getBuiltinModule?.(name);
  return (builtin ??
    (await import(/* webpackIgnore: true */ /* @vite-ignore */ `${name}`))) as typeof import("node:http");
}

export async function listen(
  { port = 0, host = "127.0.0.1", cors }: ListenOptions,
  basePath: string,
  handle: (incoming: Incoming, storageUrl: string) => Promise<ServiceResult>,
): Promise<Listening> {
  const { createServer } = await nodeHttp();
  const server = createServer((message, response) => {
    if (cors !== undefined) {
      for (const [name, value] of Object.entries(corsHeaders(cors, message))) response.setHeader(name, value);
      if (message.method === "OPTIONS") {
        response.writeHead(204).end();
        return;
      }
    }
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    read(message, gone.signal)
      .then(async (incoming) => write(response, await handle(incoming, `${incoming.url.origin}/recordings`)))
      // The connection is gone, or the emulator itself is at fault: the client sees a connection that breaks.
      .catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address() as { port: number };
  const origin = `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
  return {
    url: `${origin}${basePath}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

const corsHeaders = (origin: string, { headers }: IncomingMessage): Record<string, string> => ({
  "access-control-allow-origin": origin,
  vary: "origin",
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  "access-control-allow-headers": headers["access-control-request-headers"] ?? "*",
  "access-control-expose-headers": "*",
});

async function read(message: IncomingMessage, signal: AbortSignal): Promise<Incoming> {
  const collector = new BodyCollector();
  for await (const piece of message) collector.add(piece as Uint8Array);
  const headers = new Headers();
  for (let index = 0; index < message.rawHeaders.length; index += 2) {
    headers.append(message.rawHeaders[index]!, message.rawHeaders[index + 1]!);
  }
  const url = new URL(`http://${message.headers.host ?? "127.0.0.1"}${message.url ?? "/"}`);
  return { method: message.method ?? "GET", url, headers, body: collector.whole(), signal };
}

function write(response: ServerResponse, outcome: ServiceResult): void {
  if (outcome === "drop") {
    response.destroy();
    return;
  }
  const { status, headers, body, truncated } = outcome;
  if (!truncated) {
    response.writeHead(status, headers).end(body);
    return;
  }
  const { length, arrives } = truncatedBody(outcome);
  response.writeHead(status, { ...headers, "content-length": length });
  response.write(arrives, () => response.destroy());
}
