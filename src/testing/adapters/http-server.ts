/** Serves the emulator over HTTP on this machine. Node's modules are loaded when `listen` is called. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import * as z from "zod/mini";
import { type AsyncDisposeMember, withAsyncDispose } from "../../async/symbols.js";
import { isLoopbackHost, parseUrl } from "../../links/http-url.js";
import { functionOf, type Infer, nonEmptyString, numberOf, readonlyArray, stringOf } from "../../schemas/primitives.js";
import { toNodeListener } from "../../webhooks/http/node-listener.js";
import { checkValue } from "../emulator-error.js";
import { brokenOff } from "../http/exchange.js";

export const isPort = (port: number): boolean => Number.isInteger(port) && port >= 0 && port <= 65_535;

const hostnameOf = (host: string) => (parseUrl(`http://${host}`) ?? parseUrl(`http://[${host}]`))?.hostname;

/** A browser compares the text of an origin, so a path or a trailing slash would never match. */
const isAllowedOrigin = (text: string) => text === "*" || parseUrl(text)?.origin === text;

const listenOptions = {
  /** The port to listen on. Default: 0, any free port. */
  port: z.optional(numberOf(isPort, "an integer from 0 to 65535")),
  /** The address to listen on. Default: `127.0.0.1`. */
  host: z.optional(nonEmptyString()),
  /**
   * Further names that are accepted in the `Host` header, such as `emulator.internal`. Loopback names and addresses and
   * `host` are always accepted; others get 421, so that no web page reaches the emulator by DNS rebinding.
   */
  hosts: z.optional(readonlyArray(stringOf((host) => hostnameOf(host) !== undefined, "a host name"))),
  /** The origin whose pages may call the emulator, such as `http://localhost:5173`, or `*`. Default: none. */
  cors: z.optional(
    stringOf(isAllowedOrigin, "* or an origin such as http://localhost:5173, without a slash at the end"),
  ),
  /** True adds the control endpoints under `/_emulator`. Default: false. */
  control: z.optional(z.boolean()),
  /** Receives one line for each refused host and each refused preflight. Default: `console.warn`. */
  log: z.optional(functionOf<(line: string) => void>()),
};

export interface ListenOptions extends Infer<typeof listenOptions> {}

/** An emulator that listens on this machine. */
export type Listening = {
  /** The base URL for clients on this machine, ending in `/v1`: their `baseUrl`. */
  url: string;
  /** Closes every connection and stops listening. Further calls do nothing. */
  close(): Promise<void>;
} & AsyncDisposeMember;

type HandleRequest = (request: Request, storageUrl: string, control: boolean) => Promise<Response>;

/** Bundlers for browsers ignore it, and it works in test runners with their own module loader. */
async function nodeHttp(): Promise<typeof import("node:http")> {
  const name = "node:http";
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  const builtin = process?.getBuiltinModule?.(name);
  return (builtin ??
    (await import(/* webpackIgnore: true */ /* @vite-ignore */ `${name}`))) as typeof import("node:http");
}

export async function serveHttp(options: ListenOptions, basePath: string, handle: HandleRequest): Promise<Listening> {
  checkValue("listen", z.strictObject(listenOptions), options, "option");
  const { port = 0, host = "127.0.0.1", control = false } = options;
  const log = logOnce(options.log);
  const answersItself = requestGuard(options, host, log);
  const { createServer } = await nodeHttp();
  const respond = toNodeListener(async (request) => {
    try {
      return await handle(request, `${new URL(request.url).origin}/recordings`, control);
    } catch (error) {
      // The client disconnected while it was sending the body.
      if (request.signal.aborted) return brokenOff();
      throw error;
    }
  });
  const server = createServer((message, response) => {
    if (!answersItself(message, response)) respond(message, response);
  });
  await startListening(server, port, host);
  const address = server.address() as { port: number };
  const origin = `http://${clientHost(host)}:${address.port}`;
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= stopListening(server);
    return closed;
  };
  return withAsyncDispose({ url: `${origin}${basePath}`, close }, close);
}

/** The host for a client of this machine. The unspecified address means every address, and is no address to call. */
function clientHost(host: string): string {
  const hostname = hostnameOf(host) ?? host;
  if (hostname === "0.0.0.0") return "127.0.0.1";
  return hostname === "[::]" ? "[::1]" : hostname;
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

const HOST_NAME = /^[^\s/\\?#@]+$/;

function logOnce(log: (line: string) => void = (line) => console.warn(line)) {
  const logged = new Set<string>();
  return (line: string): void => {
    if (logged.has(line)) return;
    logged.add(line);
    log(`notetaker-sdk emulator: ${line}`);
  };
}

/** Refuses what a web page may have sent without permission, and responds to preflights. Otherwise returns `false`. */
function requestGuard({ hosts = [], cors }: ListenOptions, listenHost: string, log: (line: string) => void) {
  const accepted = new Set([listenHost, ...hosts].map(hostnameOf));
  return (message: IncomingMessage, response: ServerResponse): boolean => {
    const { host = "127.0.0.1", origin = "" } = message.headers;
    const hostname = HOST_NAME.test(host) ? parseUrl(`http://${host}`)?.hostname : undefined;
    if (hostname === undefined || !(isLoopbackHost(hostname) || accepted.has(hostname))) {
      const name = JSON.stringify(host.slice(0, 100));
      log(`refused a request for the host ${name}; to accept it: --allow-host, or hosts in listen()`);
      response.writeHead(421, { "content-type": "text/plain; charset=utf-8" });
      response.end(`the emulator does not serve the host ${name}`);
      return true;
    }
    if (cors !== undefined) return answersPreflight(cors, message, response);
    if (message.method === "OPTIONS" && message.headers["access-control-request-method"] !== undefined) {
      const name = JSON.stringify(origin.slice(0, 100));
      log(`refused a browser's preflight from ${name}; to accept it: --cors ${origin || "*"}, or cors in listen()`);
    }
    return false;
  };
}

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
