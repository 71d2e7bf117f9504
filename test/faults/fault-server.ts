/** A service on a real socket that produces a chosen fault at each attempt. */
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions, type Server as TlsServer } from "node:tls";
import { Agent, buildConnector, fetch as undiciFetch } from "undici";
import { head, type Struck } from "./answers.js";
import { certificates } from "./certificates.js";

export interface Success {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Requested {
  readonly method: string;
  /** Contains the query. */
  readonly path: string;
  readonly headers: string;
}

/** What only a server that speaks TLS needs. */
interface TlsServers {
  readonly trusted: TlsServer;
  readonly untrusted: TlsServer;
  /** Connects to the server under its host name. */
  readonly agent: Agent;
}

export interface FaultServerOptions {
  /** Whether the server speaks TLS. Clients then have to use the `fetch` of the server. */
  readonly tls: boolean;
  readonly timeoutMs: number;
  answer(request: Requested): Success;
}

/** A host name that resolves to the server, or does not resolve. */
const HOST = "service.example.com";
/** No program listens on this port. A port that a server gave up could be taken by another test. */
const CLOSED_PORT = "1";

export class FaultServer {
  readonly #answer: FaultServerOptions["answer"];
  readonly #server: Server;
  readonly #tls: TlsServers | undefined;
  readonly #sockets = new Set<Socket>();
  readonly #timeoutMs: number;
  #strikes: Struck | undefined;

  private constructor({ tls, timeoutMs, answer }: FaultServerOptions) {
    this.#answer = answer;
    this.#timeoutMs = timeoutMs;
    this.#server = createServer((socket) => this.#connected(socket));
    this.#tls = tls ? this.#tlsServers() : undefined;
  }

  #tlsServers(): TlsServers {
    const { trusted, untrusted } = certificates();
    const serve = (socket: Socket) => this.#serve(socket);
    return {
      trusted: createTlsServer(trusted, serve).on("tlsClientError", () => {}),
      untrusted: createTlsServer(untrusted, serve).on("tlsClientError", () => {}),
      agent: this.#agent(trusted.cert),
    };
  }

  #agent(ca: TlsOptions["cert"]): Agent {
    const connect = buildConnector({
      ca,
      checkServerIdentity: () => undefined,
      lookup: (name, options, callback) => {
        if (this.#strikes?.kind === "unknownHost") {
          callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" }), "", 4);
        } else if (options.all === true) callback(null, [{ address: "127.0.0.1", family: 4 }]);
        else callback(null, "127.0.0.1", 4);
      },
    });
    return new Agent({
      connect: (options, callback) =>
        connect(this.#strikes?.kind === "refused" ? { ...options, port: CLOSED_PORT } : options, callback),
    });
  }

  static async open(options: FaultServerOptions): Promise<FaultServer> {
    const server = new FaultServer(options);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get origin(): string {
    const { port } = this.#server.address() as AddressInfo;
    return this.#tls !== undefined ? `https://${HOST}:${port}` : `http://127.0.0.1:${port}`;
  }

  /** Connects to the server under its host name, and trusts its certificate. */
  readonly fetch = (url: string, init: RequestInit): Promise<Response> =>
    undiciFetch(url, { ...init, dispatcher: this.#tls?.agent } as Parameters<typeof undiciFetch>[1]) as never;

  prepare(strikes: Struck | undefined): void {
    this.#strikes = strikes;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#tls?.agent.destroy();
  }

  #connected(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => {});
    if (this.#strikes?.kind === "noTls") socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    else if (this.#tls === undefined) this.#serve(socket);
    else (this.#strikes?.kind === "untrusted" ? this.#tls.untrusted : this.#tls.trusted).emit("connection", socket);
  }

  #serve(socket: Socket): void {
    socket.on("error", () => {});
    let received = "";
    let answered = false;
    socket.on("data", (data) => {
      if (this.#strikes?.kind === "resetAtOnce") {
        socket.resetAndDestroy();
        return;
      }
      received += data.toString("latin1");
      if (answered || !isWhole(received)) return;
      answered = true;
      this.#respond(socket, parse(received));
    });
  }

  #respond(socket: Socket, request: Requested): void {
    const success = this.#answer(request);
    if (this.#strikes?.kind === "answers") this.#strikes.write({ socket, timeoutMs: this.#timeoutMs, ...success });
    else socket.end(head(success.status, success.body, success.headers) + success.body);
  }
}

function isWhole(received: string): boolean {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /^content-length: *(\d+)/im.exec(received.slice(0, end))?.[1];
  if (length !== undefined) return received.length >= end + 4 + Number(length);
  return !/^transfer-encoding: *chunked/im.test(received.slice(0, end)) || received.endsWith("0\r\n\r\n");
}

function parse(received: string): Requested {
  const [startLine = "", ...headers] = received.slice(0, received.indexOf("\r\n\r\n")).split("\r\n");
  const [method = "", path = ""] = startLine.split(" ");
  return { method, path, headers: headers.join("\n") };
}
