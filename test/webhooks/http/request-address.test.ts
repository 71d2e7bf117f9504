/** The URL of a request that `toNodeListener` passes on: its path and query come only from the request line. */
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { toNodeListener } from "../../../src/webhooks/http/node-listener.js";
import { serve } from "../loopback.js";

/** Sends a raw request, and returns the status and the URL that the handler got. */
async function send(target: string, host: string): Promise<{ status: number; url: string | undefined }> {
  let seen: string | undefined;
  const { url } = await serve(
    toNodeListener((request) => {
      seen = request.url;
      return new Response();
    }),
  );
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.end(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  let text = "";
  for await (const chunk of socket) text += chunk;
  return { status: Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1]), url: seen };
}

describe("an invalid Host header", () => {
  it.each([
    "evil.example/admin?",
    "evil.example/admin",
    "evil.example?x=1",
    "evil.example#x",
    "user@evil.example",
    "user:pw@evil.example",
    "evil.example\\admin",
    "evil.example:80:80",
    "evil.example:port",
    "a b",
    "[::1",
    "[::1]x",
    "evil.example%2fadmin",
    "",
  ])("an invalid Host is answered with 400, and the handler is not called: %j", async (host) => {
    expect(await send("/events?token=1", host)).toEqual({ status: 400, url: undefined });
  });
});

describe("the path and query of a request", () => {
  it.each([
    ["/events?token=1", "app.example.com", "http://app.example.com/events?token=1"],
    ["/events", "app.example.com:8080", "http://app.example.com:8080/events"],
    ["/", "[::1]:3000", "http://[::1]:3000/"],
    ["/", "my_service", "http://my_service/"],
    ["//other.example/x", "app.example.com", "http://app.example.com//other.example/x"],
    ["http://other.example/x?y=1", "app.example.com", "http://app.example.com/x?y=1"],
    ["http://other.example?y=1", "app.example.com", "http://app.example.com/?y=1"],
    ["http://other.example", "app.example.com", "http://app.example.com/"],
  ])("the path and query are taken from the request line: %s", async (target, host, url) => {
    expect(await send(target, host)).toEqual({ status: 200, url });
  });
});
