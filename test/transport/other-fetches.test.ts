/** Implementations of `fetch` besides the platform's own: they get a URL and an init instead of a `Request`. */
import { createServer } from "node:http";
import { connect } from "node:net";
import {
  ConnectionError,
  type Fetch,
  type Middleware,
  type Notetaker,
  NotFoundError,
  UnauthorizedError,
} from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { Agent, ProxyAgent, fetch as undiciFetch } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { clientAt, listening } from "../support/loopback.js";
import { rejectionOf } from "../support/recorder.js";

/** A proxy that opens tunnels, or refuses them with a status, and counts the requests for one. */
async function proxy(refusal?: string) {
  let requests = 0;
  const server = createServer();
  server.on("connect", (request, socket, head) => {
    requests += 1;
    if (refusal !== undefined) {
      socket.on("error", () => {});
      socket.end(`HTTP/1.1 ${refusal}\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const [host, port] = (request.url ?? "").split(":");
    const target = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      target.write(head);
      target.pipe(socket).pipe(target);
    });
    target.on("error", () => socket.destroy());
    socket.on("error", () => target.destroy());
  });
  const agent = new ProxyAgent({ uri: await listening(server), proxyTunnel: true });
  onTestFinished(() => agent.destroy());
  return { agent, requests: () => requests };
}

async function emulated(fetch: Fetch, options: object = {}): Promise<Notetaker> {
  const service = createEmulator();
  const { url, close } = await service.listen();
  onTestFinished(close);
  return clientAt(url.replace(/\/v1$/, ""), { token: service.token, fetch, ...options });
}

/** A list, a request body, an error, and a second page. */
async function useAll(notetaker: Notetaker): Promise<void> {
  const rooms = await notetaker.rooms.list({ limit: 1, expand: ["meetings"] }).toArray({ max: 100 });
  expect(rooms.length).toBeGreaterThan(1);
  const sent = await notetaker.meetings.sendBot({ meeting_url: "https://zoom.us/j/987654" });
  expect(sent.status).toBe("scheduling");
  await rejectionOf(NotFoundError, notetaker.meetings.getTranscript("mtg_nobody"));
  const wrong = notetaker.withOptions({ token: "tok_wrong_one" });
  await rejectionOf(UnauthorizedError, wrong.webhooks.list());
}

const copying: Middleware = (request, next) => next(new Request(request));

/** More than one chunk. */
const wav = Uint8Array.from({ length: 164_044 }, (_, index) => index % 251);

describe("npm's undici as fetch", () => {
  it.each<[string, object]>([
    ["alone", {}],
    ["with a middleware", { middleware: [copying] }],
  ])("works for lists, bodies, errors and streamed uploads: %s", async (_, options) => {
    const notetaker = await emulated(undiciFetch, options);
    await useAll(notetaker);
    const uploaded = await notetaker.meetings.upload(new Blob([wav]), { contentType: "audio/wav" });
    expect(uploaded.status).toBe("processing");
  });

  it("works through a ProxyAgent in fetchOptions", async () => {
    const { agent, requests } = await proxy();
    await useAll(await emulated(undiciFetch, { fetchOptions: { dispatcher: agent } }));
    expect(requests()).toBeGreaterThan(0);
  });
});

it.each([
  ["npm's undici", undiciFetch as Fetch, "407 Proxy Authentication Required"],
  ["npm's undici", undiciFetch as Fetch, "502 Bad Gateway"],
  ["the platform's fetch", undefined, "407 Proxy Authentication Required"],
])("nothing was sent if the proxy of %s refuses the tunnel (%#), so a bot is sent again", async (_, fetch, status) => {
  const { agent, requests } = await proxy(status);
  const options = { fetch, fetchOptions: { dispatcher: agent }, maxRetries: 1, maxRetryDelayMs: 0 };
  const notetaker = clientAt("https://api.example.com", options);
  const bot = { meeting_url: "https://zoom.us/j/987654" };
  const error = await rejectionOf(ConnectionError, notetaker.meetings.sendBot(bot));
  expect(error).toMatchObject({ outcome: "not_sent", retryable: true, attempts: 2 });
  expect(error.message).toContain(`not connected: Proxy response (${status.slice(0, 3)}) !== 200`);
  expect(requests()).toBe(2);
});

it("a limit of fetch itself causes an error that names the way out", async () => {
  const origin = await listening(createServer(() => {}));
  const fetchOptions = { dispatcher: new Agent({ headersTimeout: 1 }) };
  const { webhooks } = clientAt(origin, { fetch: undiciFetch, fetchOptions, maxRetries: 0 });
  const error = await rejectionOf(ConnectionError, webhooks.list());
  expect(error).toMatchObject({ outcome: "unknown", retryable: true });
  expect(error.message).toMatch(/failed: connection closed before .* headersTimeout/);
});
