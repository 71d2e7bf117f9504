/** What could end a subscription or put it into a loop: unusual ids, `retry: 0`, functions that hang, plain `http:`. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ConfigurationError } from "../../../src/errors/argument-errors.js";
import { subscribe } from "../../../src/webhooks/subscribe/subscribe.js";
import type { Reconnection } from "../../../src/webhooks/subscribe/subscribe-options.js";
import { eventOf } from "../events.js";

afterEach(() => {
  vi.useRealTimers();
});

const STREAM = { "content-type": "text/event-stream" };
const data = `data: ${JSON.stringify(eventOf(1))}\n\n`;

/**
 * A server that answers each connection with the next of `streams` and closes it, and finally with 204. Records the
 * bytes of the headers.
 */
async function serveStreams(streams: readonly string[], open?: (response: ServerResponse) => void) {
  const received: (Buffer | undefined)[] = [];
  const remaining = [...streams];
  const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    const id = request.headers["last-event-id"];
    received.push(typeof id === "string" ? Buffer.from(id, "latin1") : undefined);
    const stream = remaining.shift();
    if (stream === undefined) {
      response.writeHead(204).end();
      return;
    }
    response.writeHead(200, STREAM);
    // Makes the pauses before reconnections as short as possible.
    response.write("retry: 0\n\n");
    if (open !== undefined && remaining.length === 0) {
      response.write(stream);
      open(response);
    } else {
      response.end(stream);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`, received };
}

/** Reads a subscription completely. */
async function readAll(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const received: unknown[] = [];
  for await (const event of events) received.push(event);
  return received;
}

describe("the Last-Event-ID that subscribe sends", () => {
  it.each([
    ["é", "é"],
    ["id-…", "id-…"],
    ["🙂 with spaces inside", "🙂 with spaces inside"],
    ["plain-7", "plain-7"],
  ])("the id is sent as UTF-8: %s", async (id, expected) => {
    const { url, received } = await serveStreams([`id: ${id}\n${data}`]);
    await readAll(subscribe(url));
    expect(received).toEqual([undefined, Buffer.from(expected)]);
  });

  it("the lastEventId of the options is sent as UTF-8", async () => {
    const { url, received } = await serveStreams([]);
    await readAll(subscribe(url, { lastEventId: "é🙂" }));
    expect(received).toEqual([Buffer.from("é🙂")]);
  });

  it.each([
    ["a control character", "a\u0001b"],
    ["a tab", "a\tb"],
    ["DEL", "a\u007f"],
    ["20,000 characters", "x".repeat(20_000)],
    ["3,000 characters of three bytes", "…".repeat(3_000)],
    ["white space at its end", "a "],
  ])("an id that a header cannot contain is not sent, and the subscription continues: %s", async (_, id) => {
    const { url, received } = await serveStreams([`id: ${id}\n${data}`, `id: 2\n${data}`]);
    const events = subscribe(url);
    expect(await readAll(events)).toEqual([eventOf(1), eventOf(1)]);
    expect(received).toEqual([undefined, undefined, Buffer.from("2")]);
    expect(events.lastEventId).toBe("2");
  });

  it("an id without data is kept, so that a reconnection repeats no event", async () => {
    const { url, received } = await serveStreams([`id: 7\n${data}id:8\n\n`]);
    expect(await readAll(subscribe(url))).toHaveLength(1);
    expect(received).toEqual([undefined, Buffer.from("8")]);
  });

  it("an empty id resets the position", async () => {
    const { url, received } = await serveStreams([`id: 7\n${data}id\n\n`]);
    await readAll(subscribe(url));
    expect(received).toEqual([undefined, undefined]);
  });
});

describe("an event with other line ends", () => {
  it.each(["\r", "\n\r", "\r\n"])(
    "an event whose lines end in %j arrives while the connection stays open",
    async (newline) => {
      const { url } = await serveStreams([`data: ${JSON.stringify(eventOf(1))}${newline}${newline}`], () => {});
      const events = subscribe(url);
      expect(await events.next()).toEqual({ done: false, value: eventOf(1) });
      await events.return();
    },
  );
});

describe("a server that sends retry: 0", () => {
  it.each([
    ["it closes each connection at once", "retry: 0\n\n"],
    ["it sends an event in each connection", `retry: 0\n\n${data}`],
    ["it sends an event with an id in each connection", `retry: 0\nid: 1\n${data}`],
  ])("a server that sends retry: 0 gets at most ten requests in two seconds: %s", async (_, stream) => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(0);
    let connections = 0;
    const events = subscribe("https://app.example.com/events", {
      fetch: async () => {
        connections += 1;
        return new Response(stream, { headers: STREAM });
      },
    });
    const reading = readAll(events);
    for (let elapsed = 0; elapsed < 2_000; elapsed += 10) await vi.advanceTimersByTimeAsync(10);
    expect(connections).toBeGreaterThan(1);
    expect(connections).toBeLessThanOrEqual(10);
    await events.return();
    await reading;
    vi.mocked(Math.random).mockRestore();
  });

  it("a server whose connections bring no event gets fewer and fewer requests", async () => {
    vi.useFakeTimers();
    const delays: number[] = [];
    vi.spyOn(Math, "random").mockReturnValue(0);
    const events = subscribe("https://app.example.com/events", {
      fetch: async () => new Response("retry: 0\n\n", { headers: STREAM }),
      onReconnect: ({ delayMs }) => delays.push(delayMs),
    });
    const reading = readAll(events);
    for (let elapsed = 0; elapsed < 20_000; elapsed += 50) await vi.advanceTimersByTimeAsync(50);
    expect(delays.slice(0, 6)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000]);
    await events.return();
    await reading;
    vi.mocked(Math.random).mockRestore();
  });
});

describe("a subscription whose next step hangs", () => {
  const hanging = () => new Promise<never>(() => {});
  const places = [
    ["headers()", { headers: hanging }],
    ["a fetch that ignores its signal", { fetch: hanging }],
    [
      "a body that ignores its cancellation",
      { fetch: async () => new Response(new ReadableStream({ cancel: hanging }), { headers: STREAM }) },
    ],
  ] as const;

  it.each(places)("an abort ends the subscription at once during %s", async (_, options) => {
    const controller = new AbortController();
    const reason = new Error("the user left");
    const step = subscribe("https://app.example.com/events", { ...options, signal: controller.signal }).next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    controller.abort(reason);
    await expect(step).rejects.toBe(reason);
  });

  it.each(places)("return() ends the subscription at once during %s", async (_, options) => {
    const events = subscribe("https://app.example.com/events", options);
    const step = events.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await events.return()).toEqual({ done: true, value: undefined });
    expect(await step).toEqual({ done: true, value: undefined });
  });

  it.each(places)("the step is abandoned after staleAfterMs and repeated: %s", async (_, options) => {
    const reconnections: Reconnection[] = [];
    const events = subscribe("https://app.example.com/events", {
      ...options,
      staleAfterMs: 30,
      onReconnect: (reconnection) => reconnections.push(reconnection),
    });
    const step = events.next();
    await vi.waitFor(() => expect(reconnections).toHaveLength(1), 10_000);
    expect(reconnections[0]?.error?.message).toContain("received nothing for 30 ms");
    await events.return();
    await step;
  });
});

describe("an http: URL of another machine", () => {
  it.each(["http://app.example.com/events", "http://10.0.0.5/events", "http://localhost.example.com/"])(
    "subscribe refuses http: to another machine, with and without headers: %s",
    (url) => {
      expect(() => subscribe(url, { headers: { authorization: "Bearer secret" } })).toThrow(ConfigurationError);
      expect(() => subscribe(url)).toThrow("allowInsecureHttp");
    },
  );

  it("subscribe accepts http: to this machine, and to others with allowInsecureHttp", () => {
    expect(() => subscribe("http://events:3000/", { allowInsecureHttp: true })).not.toThrow();
    for (const host of ["localhost", "127.0.0.1", "[::1]", "app.localhost"]) {
      expect(() => subscribe(`http://${host}:3000/events`, { headers: { a: "b" } })).not.toThrow();
    }
  });
});

describe("the content type of an event stream", () => {
  const open = async (contentType: string) => {
    const answers = [
      new Response(data, { headers: { "content-type": contentType } }),
      new Response(null, { status: 204 }),
    ];
    return readAll(
      subscribe("https://app.example.com/events", { fetch: async () => answers.shift() ?? new Response(null) }),
    );
  };

  it.each([
    "text/event-stream",
    "Text/Event-Stream; charset=utf-8",
    "TEXT/EVENT-STREAM",
    "text/event-stream;",
    "text/event-stream;bogus",
    "text/event-stream ; charset=windows-1252",
  ])("subscribe accepts the content type %s", async (contentType) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const reading = open(contentType);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await reading).toEqual([eventOf(1)]);
  });

  it.each([
    "text/event-stream+json",
    "text/event-streams",
    "text/x-bogus",
    "application/json; text/event-stream",
    "text/plain",
  ])("subscribe refuses the content type %s", async (contentType) => {
    await expect(open(contentType)).rejects.toMatchObject({ reason: "not_an_event" });
  });
});

it("subscribe calls fetch with the URL as a string, and requests no cached response", async () => {
  const calls: unknown[][] = [];
  const events = subscribe(new URL("https://app.example.com/events?token=1"), {
    fetch: async (...call) => {
      calls.push(call);
      return new Response(null, { status: 204 });
    },
  });
  await readAll(events);
  expect(calls).toMatchObject([["https://app.example.com/events?token=1", { cache: "no-store", redirect: "manual" }]]);
});

describe("subscribe with another fetch", () => {
  it.each([
    ["npm's undici", async () => (await import("undici")).fetch],
    ["node-fetch", async () => (await import("node-fetch")).default],
  ])("subscribe gets the events, resumes and ends with %s", async (_, load) => {
    const { url, received } = await serveStreams([`id: 7\n${data}`, `id: 8\n${data}`]);
    const fetch = await load();
    expect(await readAll(subscribe(url, { fetch }))).toEqual([eventOf(1), eventOf(1)]);
    expect(received.map(String)).toEqual(["undefined", "7", "8"]);
  });

  it("leaving the loop closes the connection of node-fetch", async () => {
    const closed: Promise<unknown>[] = [];
    const { url } = await serveStreams([`id: 7\n${data}`], (response) => closed.push(once(response, "close")));
    const { default: fetch } = await import("node-fetch");
    for await (const event of subscribe(url, { fetch })) {
      expect(event).toEqual(eventOf(1));
      break;
    }
    expect(closed).toHaveLength(1);
    await closed[0];
  });
});

describe("a response of another fetch", () => {
  const event = new TextEncoder().encode(data);
  const respond = (body: unknown) => async () => ({
    status: 200,
    ok: true,
    headers: new Headers(STREAM),
    body,
  });

  it("an iterable body is read as fast as its events are taken, and is ended when the loop is left", async () => {
    let read = 0;
    const ended = vi.fn();
    async function* chunks() {
      try {
        for (; read < 3; ) {
          read += 1;
          yield event;
        }
      } finally {
        ended();
      }
    }
    const events = subscribe("https://app.example.com/events", { fetch: respond(chunks()) });
    expect(await events.next()).toMatchObject({ value: eventOf(1) });
    await new Promise((resolve) => setImmediate(resolve));
    expect(read).toBe(1);
    await events.return();
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
  });

  it("an iterable body may have no return method", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const body = { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: event }) }) };
    const events = subscribe("https://app.example.com/events", { fetch: respond(body) });
    await events.next();
    expect(await events.return()).toEqual({ done: true, value: undefined });
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("the end of an iterable body ends its connection", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const ends: unknown[] = [];
    async function* chunks() {
      yield event;
    }
    const events = subscribe("https://app.example.com/events", {
      fetch: respond(chunks()),
      onReconnect: ({ error }) => ends.push(error),
    });
    await events.next();
    const step = events.next();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ends).toEqual([undefined]);
    await events.return();
    await step;
  });

  it.each([["text"], [{}], [null], [5]])("a body that cannot be read in chunks causes an error: %j", async (body) => {
    const events = subscribe("https://app.example.com/events", { fetch: respond(body) as never });
    await expect(events.next()).rejects.toMatchObject({ reason: "not_an_event" });
  });
});

describe("a runtime without the fetch option cache", () => {
  it.each([
    ["no Request", undefined],
    ["a Request that does not know the option", class {}],
  ])("subscribe calls fetch without the option cache: %s", async (_, request) => {
    const inits: object[] = [];
    vi.stubGlobal("Request", request);
    const events = subscribe("https://app.example.com/events", {
      fetch: async (_url, init) => {
        inits.push(init);
        return new Response(null, { status: 204 });
      },
    });
    await readAll(events).finally(() => vi.unstubAllGlobals());
    expect(inits.map((init) => Object.keys(init))).toEqual([["headers", "signal", "redirect"]]);
  });
});

describe("the cause of a subscription's connection error", () => {
  /** The error that `onReconnect` receives if `fetch` fails with `failure`. */
  async function errorOf(failure: unknown) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const errors: unknown[] = [];
    const events = subscribe("https://app.example.com/events?token=topsecret", {
      fetch: () => Promise.reject(failure),
      onReconnect: ({ error }) => errors.push(error),
    });
    const step = events.next();
    await vi.advanceTimersByTimeAsync(0);
    await events.return();
    await step;
    return errors[0] as Error & { cause?: Error & { code?: unknown }; request?: unknown };
  }

  const named = (name: string) => Object.assign(new Error("topsecret"), { name });
  const coded = (code: unknown) => Object.assign(new Error("topsecret"), { code });

  it.each<[what: string, failure: unknown, name: string, code: string | undefined]>([
    ["a code", coded("ECONNREFUSED"), "Error", "ECONNREFUSED"],
    ["a code in its cause", new TypeError("failed", { cause: coded("ENOTFOUND") }), "TypeError", "ENOTFOUND"],
    ["no code", new TypeError("topsecret"), "TypeError", undefined],
    ["a code with a lower-case letter", coded("xECONNREFUSED"), "Error", undefined],
    ["a code with text after it", coded("ECONNREFUSED topsecret"), "Error", undefined],
    ["a code of one letter", coded("E"), "Error", undefined],
    ["a code that is not text", coded(["ECONNREFUSED"]), "Error", undefined],
    ["a name of several words", named("the topsecret"), "Error", undefined],
    ["a name with a punctuation mark", named("Failed:"), "Error", undefined],
    ["an empty name", named(""), "Error", undefined],
  ])("the cause has the name and the code only if they cannot contain a secret: %s", async (_, failure, name, code) => {
    const error = await errorOf(failure);
    expect(error.message).toBe(`GET /events got no response${code === undefined ? "" : `: ${code}`}`);
    expect(error.request).toEqual({ method: "GET", url: "https://app.example.com/events" });
    expect(error.cause).toMatchObject({ name, message: code ?? "the connection failed" });
    expect({ ...error.cause }).toEqual(code === undefined ? { name } : { name, code });
    expect("code" in (error.cause ?? {})).toBe(code !== undefined);
  });

  it("a failure that is not an error has no cause", async () => {
    expect((await errorOf("topsecret")).cause).toBeUndefined();
  });
});

it("the error that onReconnect receives shows neither the query nor the headers", async () => {
  const errors: unknown[] = [];
  const events = subscribe("https://app.example.com/events?token=topsecret", {
    headers: { authorization: "Bearer topsecret" },
    fetch: (address, init) => {
      const headers = new Headers(init.headers);
      throw Object.assign(new TypeError(`Failed to fetch ${address} with ${headers.get("authorization")}`), {
        cause: Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: "ECONNREFUSED" }),
      });
    },
    onReconnect: ({ error }) => errors.push(error),
  });
  const step = events.next();
  await vi.waitFor(() => expect(errors).toHaveLength(1), 10_000);
  await events.return();
  await step;
  const { inspect } = await import("node:util");
  const shown = `${inspect(errors[0], { depth: 9, showHidden: true })}${JSON.stringify(errors[0])}${String(errors[0])}`;
  expect(shown).not.toContain("topsecret");
  expect(shown).toContain("ECONNREFUSED");
});

it("15 subscriptions on one signal print no warning, and leave no listener", async () => {
  const warnings: unknown[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on("warning", onWarning);
  const controller = new AbortController();
  const added = vi.spyOn(controller.signal, "addEventListener");
  const steps = Array.from({ length: 15 }, () =>
    subscribe("https://app.example.com/events", {
      signal: controller.signal,
      fetch: (_, init) =>
        new Promise((_resolve, reject) => init.signal?.addEventListener("abort", () => reject(init.signal?.reason))),
    }).next(),
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  const reason = new Error("enough");
  controller.abort(reason);
  for (const step of steps) await expect(step).rejects.toBe(reason);
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
  expect(added).toHaveBeenCalledTimes(1);
});
