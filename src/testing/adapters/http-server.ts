/** The emulator over HTTP on this machine. Node's modules are needed here alone, and only when it is called. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import * as z from "zod/mini";
import { type AsyncDisposeMember, withAsyncDispose } from "../../async/async-dispose.js";
import { isLoopbackHost, parseUrl } from "../../schemas/http-url.js";
import { nonEmptyString, numberOf } from "../../schemas/primitives.js";
import { callback, closedObject, isPort, mistakesIn } from "../check-value.js";
import { EmulatorError, mistakesError } from "../emulator-error.js";
import { type Incoming, type ServiceResult, truncatedBody } from "../http/exchange.js";
import { BodyCollector } from "./read-body.js";

/** Options of `listen`. */
export interface ListenOptions {
  /** Default: 0, any free port. */
  port?: number | undefined;
  /** The address to listen on. Default: `127.0.0.1`. */
  host?: string | undefined;
  /**
   * Further names that the `Host` header may have, such as `emulator.internal`: the names and addresses of this machine
   * and `host` are always accepted, all others are refused with 421, so that no web page can reach the emulator by
   * another name (DNS rebinding).
   */
  hosts?: readonly string[] | undefined;
  /**
   * The origin whose pages may call the emulator from a browser, such as `http://localhost:5173`, or `*`. Default:
   * none. It is not known whether the service itself can be called from a page; in any case a token does not belong in
   * one.
   */
  cors?: string | undefined;
  /** True adds the control endpoints under `/_emulator`. Default: false. */
  control?: boolean | undefined;
  /** Receives one line for each refused host and each refused preflight. Default: `console.warn`. */
  log?: ((line: string) => void) | undefined;
}

const listenOptionsSchema = closedObject<ListenOptions>("option")({
  port: z.optional(numberOf(isPort, "an integer from 0 to 65535")),
  host: z.optional(nonEmptyString()),
  hosts: z.optional(z.array(z.string())),
  cors: z.optional(z.string()),
  control: z.optional(z.boolean()),
  log: callback(),
});

/** An emulator that listens on this machine. */
export type Listening = {
  /** The base URL, ending in `/v1`: a client's `baseUrl`. */
  url: string;
  /** Closes every connection and stops listening. It may be called again. */
  close(): Promise<void>;
} & AsyncDisposeMember;

/** Responds to a request; `storageUrl` is the URL under which recordings are served. */
export type HandleRequest = (incoming: Incoming, storageUrl: string, control: boolean) => Promise<ServiceResult>;

/** `node:http`, imported so that bundlers for browsers ignore it and test runners with their own modules find it. */
async function nodeHttp(): Promise<typeof import("node:http")> {
  const name = "node:http";
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  const builtin = process?.getBuiltinModule?.(name);
  return (builtin ??
    (await import(/* webpackIgnore: true */ /* @vite-ignore */ `${name}`))) as typeof import("node:http");
}

export async function listen(options: ListenOptions, basePath: string, handle: HandleRequest): Promise<Listening> {
  const mistakes = mistakesIn(listenOptionsSchema, options);
  if (mistakes.length > 0) throw mistakesError("listen", mistakes);
  const { port = 0, host = "127.0.0.1", cors, control = false } = options;
  checkOrigin(cors);
  const guard = new RequestGuard(options, host);
  const { createServer } = await nodeHttp();
  const server = createServer((message, response) => {
    if (guard.refuses(message, response)) return;
    if (cors !== undefined && answersPreflight(cors, message, response)) return;
    const disconnected = new AbortController();
    response.once("close", () => disconnected.abort());
    readMessage(message, disconnected.signal)
      .then(async (incoming) => write(response, await handle(incoming, `${incoming.url.origin}/recordings`, control)))
      // The client disconnected, or the emulator has a bug: the client sees a connection that breaks.
      .catch((error: unknown) => response.destroy(error as Error));
  });
  await startListening(server, port, host);
  const address = server.address() as { port: number };
  const origin = `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
  const close = onceAsync(() => stopListening(server));
  return withAsyncDispose({ url: `${origin}${basePath}`, close }, close);
}

const startListening = (server: Server, port: number, host: string) =>
  new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });

const stopListening = (server: Server) =>
  new Promise<void>((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeAllConnections();
  });

/** Runs `work` once; later calls return the same promise. */
function onceAsync(work: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

/** What a `Host` header may contain: a name or an address, and a port. */
const HOST = /^[^\s/\\?#@]+$/;

/** A stream of new names must not fill the log. */
const MAX_LOGGED_NAMES = 100;

/** Refuses requests that a web page may have sent without leave, with one log line for each host and origin. */
class RequestGuard {
  readonly #hosts: ReadonlySet<string>;
  readonly #cors: string | undefined;
  readonly #log: (line: string) => void;
  readonly #logged = new Set<string>();

  constructor({ hosts = [], cors, log = (line) => console.warn(line) }: ListenOptions, host: string) {
    this.#hosts = new Set([host, ...hosts].map(toHostname));
    this.#cors = cors;
    this.#log = log;
  }

  refuses(message: IncomingMessage, response: ServerResponse): boolean {
    const { host = "127.0.0.1", origin } = message.headers;
    const hostname = HOST.test(host) ? parseUrl(`http://${host}`)?.hostname : undefined;
    if (hostname === undefined || !(isLoopbackHost(hostname) || this.#hosts.has(hostname))) {
      const name = JSON.stringify(host.slice(0, 100));
      this.#logOnce(`refused a request for the host ${name}; to accept it: --allow-host, or hosts in listen()`);
      response.writeHead(421, { "content-type": "text/plain; charset=utf-8" });
      response.end(`the emulator does not serve the host ${name}`);
      return true;
    }
    const isPreflight = message.method === "OPTIONS" && message.headers["access-control-request-method"] !== undefined;
    if (isPreflight && this.#cors === undefined) {
      const name = JSON.stringify((origin ?? "").slice(0, 100));
      this.#logOnce(
        `refused a browser's preflight from ${name}; to accept it: --cors ${origin ?? "*"}, or cors in listen()`,
      );
    }
    return false;
  }

  #logOnce(line: string): void {
    if (this.#logged.has(line) || this.#logged.size >= MAX_LOGGED_NAMES) return;
    this.#logged.add(line);
    this.#log(`notetaker-emulator: ${line}`);
  }
}

/** `emulator.internal`, with or without a port, as `URL.hostname` writes it. */
function toHostname(host: string): string {
  const url = parseUrl(`http://${host}`) ?? parseUrl(`http://[${host}]`);
  if (url === undefined)
    throw new EmulatorError(`listen: hosts: expected a host name, received ${JSON.stringify(host)}`);
  return url.hostname;
}

/** A browser compares the origin as text: a path or a trailing slash would match no page. */
function checkOrigin(cors: string | undefined): void {
  if (cors === undefined || cors === "*" || parseUrl(cors)?.origin === cors) return;
  const origin = parseUrl(cors)?.origin;
  const hint = origin === undefined || origin === "null" ? "http://localhost:5173" : origin;
  throw new EmulatorError(
    `listen: cors: expected * or an origin such as ${hint}, received ${JSON.stringify(cors.slice(0, 100))}`,
  );
}

/** Sets the CORS headers. Returns whether the request was a preflight, which is then answered. */
function answersPreflight(origin: string, { method, headers }: IncomingMessage, response: ServerResponse): boolean {
  response.setHeader("access-control-allow-origin", origin);
  response.setHeader("vary", "origin");
  response.setHeader("access-control-allow-methods", "GET, HEAD, POST, PUT, PATCH, DELETE");
  response.setHeader("access-control-allow-headers", headers["access-control-request-headers"] ?? "*");
  response.setHeader("access-control-expose-headers", "*");
  if (method !== "OPTIONS") return false;
  response.writeHead(204).end();
  return true;
}

async function readMessage(message: IncomingMessage, signal: AbortSignal): Promise<Incoming> {
  const collector = new BodyCollector();
  for await (const chunk of message) collector.add(chunk as Uint8Array);
  const headers = new Headers();
  let headerBytes = 0;
  const { rawHeaders } = message;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    headers.append(name, value);
    headerBytes += name.length + value.length;
  }
  const url = new URL(`http://${message.headers.host ?? "127.0.0.1"}${message.url ?? "/"}`);
  return { method: message.method ?? "GET", url, headers, headerBytes, body: collector.body(), signal };
}

function write(response: ServerResponse, result: ServiceResult): void {
  if (result === "drop") {
    response.destroy();
    return;
  }
  const { status, headers, body, truncated } = result;
  if (!truncated) {
    response.writeHead(status, headers).end(body);
    return;
  }
  const { length, arrives } = truncatedBody(result);
  response.writeHead(status, { ...headers, "content-length": length });
  response.write(arrives, () => response.destroy());
}
