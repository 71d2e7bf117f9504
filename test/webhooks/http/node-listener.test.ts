import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { connect, type Server } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ConfigurationError } from "../../../src/errors/argument-errors.js";
import { toNodeListener } from "../../../src/webhooks/http/node-listener.js";
import { held } from "../../support/held.js";
import { httpServer, listening } from "../../support/servers.js";
import { meetingBody, nodeSign, recordingReceiver } from "../signed-delivery.js";

const body = meetingBody();
const post = (url: string, init: RequestInit = {}) =>
  fetch(url, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", "x-webhook-signature": nodeSign(body) },
    ...init,
  });

describe("toNodeListener on node:http", () => {
  it("the handler gets the request unchanged, and the client gets the response", async () => {
    const seen: Request[] = [];
    const url = await httpServer(
      toNodeListener(async (request) => {
        seen.push(request);
        const headers = new Headers({ "x-answer": "yes" });
        headers.append("set-cookie", "a=1");
        headers.append("set-cookie", "b=2");
        return new Response(`got ${await request.text()}`, { status: 202, headers });
      }),
    );
    const response = await post(`${url}/path?query=1`, { body: "größe", method: "PUT" });
    expect(await response.text()).toBe("got größe");
    expect(response.status).toBe(202);
    expect(response.headers.get("x-answer")).toBe("yes");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(seen[0]?.method).toBe("PUT");
    expect(seen[0]?.url).toBe(`${url}/path?query=1`);
    expect(seen[0]?.headers.get("content-type")).toBe("application/json");
  });

  it("a connection can be reused after a body that was not or only partly read", async () => {
    const { receiver } = recordingReceiver({ maxBodyBytes: 100_000 });
    receiver.onUnhandled(() => {});
    const sockets = new Set<unknown>();
    const listener = toNodeListener(receiver.handle);
    const url = await httpServer((req, res) => {
      sockets.add(req.socket);
      return listener(req, res);
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = async (size: number, headers: Record<string, string>) => {
      const outgoing = httpRequest(url, { method: "POST", agent, headers });
      outgoing.end(Buffer.alloc(size, "x"));
      const [response] = (await once(outgoing, "response")) as [IncomingMessage];
      response.resume();
      await once(response, "end");
      return response.statusCode;
    };
    const signed = { "x-webhook-signature": nodeSign("else") };
    expect(await send(300_000, {})).toBe(401);
    expect(await send(300_000, { ...signed, "content-length": "300000" })).toBe(413);
    expect(await send(300_000, { ...signed, "transfer-encoding": "chunked" })).toBe(413);
    expect(await send(50_000, signed)).toBe(401);
    expect(sockets.size).toBe(1);
    agent.destroy();
  });

  it("request.signal aborts when the client disconnects", async () => {
    const aborted = held();
    const url = await httpServer(
      toNodeListener(({ signal }) => {
        signal.addEventListener("abort", aborted.release);
        return new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) }));
      }),
    );
    const controller = new AbortController();
    const response = await fetch(url, { signal: controller.signal });
    await response.body?.getReader().read();
    controller.abort();
    await aborted.promise;
  });

  it("request.signal aborts when a client of HTTP/2 leaves, and not after a whole response", async () => {
    const left = held();
    const signals: AbortSignal[] = [];
    const listener = toNodeListener(({ signal, url }) => {
      signals.push(signal);
      signal.addEventListener("abort", left.release);
      const start = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(1));
      return new Response(url.endsWith("/whole") ? "whole" : new ReadableStream({ start }));
    });
    const session = connectHttp2(await listening(createHttp2Server(listener) as unknown as Server));
    const whole = session.request({ ":path": "/whole" }).resume();
    await once(whole, "close");
    const endless = session.request({ ":path": "/endless" });
    await once(endless, "response");
    endless.close(8);
    await left.promise;
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    session.destroy();
  });

  it("a response with Connection: close ends its connection, and over HTTP/2 prints no warning", async () => {
    const listener = toNodeListener(() => new Response("ok", { headers: { connection: "close" } }));
    const agent = new Agent({ keepAlive: true });
    const outgoing = httpRequest(await httpServer(listener), { agent }).end();
    const [response] = (await once(outgoing, "response")) as [IncomingMessage];
    const closed = once(response.socket, "close");
    response.resume();
    await closed;

    const onWarning = vi.fn();
    process.on("warning", onWarning);
    onTestFinished(() => void process.off("warning", onWarning));
    const session = connectHttp2(await listening(createHttp2Server(listener) as unknown as Server));
    const [headers] = await once(session.request({ ":path": "/" }), "response");
    expect([headers[":status"], headers.connection]).toEqual([200, undefined]);
    session.destroy();
    await new Promise((resolve) => setImmediate(resolve));
    expect(onWarning).not.toHaveBeenCalled();
  });

  it("Response.error() closes the connection without a response", async () => {
    const url = await httpServer(toNodeListener(() => Response.error()));
    await expect(fetch(url)).rejects.toMatchObject({ cause: { code: "UND_ERR_SOCKET" } });
  });

  it.each<[what: string, handler: () => unknown, error: unknown]>([
    ["throws", () => Promise.reject(new RangeError("no")), new RangeError("no")],
    ["returns nothing", () => undefined, expect.any(ConfigurationError)],
    ["returns an object", () => ({}), expect.any(ConfigurationError)],
  ])("the response is 500 if the handler %s, the console shows the error, and the server goes on", async (...row) => {
    const [, handler, error] = row;
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const url = await httpServer(toNodeListener(handler as () => Response));
    for (const times of [1, 2]) {
      expect((await fetch(url)).status).toBe(500);
      expect(logged.mock.calls).toEqual(Array(times).fill(["notetaker-sdk:", error]));
    }
  });
});

it("the URL of a request has the path and query of the request line, and an invalid Host is answered with 400", async () => {
  let seen: string | undefined;
  const url = await httpServer(
    toNodeListener((request) => {
      seen = request.url;
      return new Response();
    }),
  );
  /** Sends a raw request, and returns the status and the URL that the handler got. */
  async function send(target: string, host: string, method = "GET") {
    seen = undefined;
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.end(`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    let text = "";
    for await (const chunk of socket) text += chunk;
    return `${/^HTTP\/1.1 (\d+)/.exec(text)?.[1]} ${seen}`;
  }
  const invalid = ["/admin?", "/admin", "?x=1", "#x", "\\admin", ":80:80", ":port", "%2fadmin"];
  const hosts = [...invalid.map((end) => `evil.example${end}`), "user@evil.example", "a b", "[::1", "[::1]x", ""];
  for (const host of hosts) expect(await send("/events?token=1", host), host).toBe("400 undefined");
  // A `Request` cannot have this method.
  expect(await send("/", "localhost", "TRACE")).toBe("400 undefined");

  const app = "app.example.com";
  expect(await send("/events?token=1", app)).toBe(`200 http://${app}/events?token=1`);
  expect(await send("/events", `${app}:8080`)).toBe(`200 http://${app}:8080/events`);
  for (const host of ["[::1]:3000", "my_service"]) expect(await send("/", host)).toBe(`200 http://${host}/`);
  expect(await send("//other.example/x", app)).toBe(`200 http://${app}//other.example/x`);
  expect(await send("http://other.example/x?y=1", app)).toBe(`200 http://${app}/x?y=1`);
  expect(await send("http://other.example?y=1", app)).toBe(`200 http://${app}/?y=1`);
  expect(await send("http://other.example", app)).toBe(`200 http://${app}/`);
  expect(await send("*", app, "OPTIONS")).toBe(`200 http://${app}/`);
});
