/** The constructor refuses an invalid configuration, with a message that says what to set. */
import { type ClientOptions, ConfigurationError, Notetaker } from "notetaker-sdk";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { configuration } from "../../src/configuration/configuration.js";
import { BASE_URL, clientOf, json, TOKEN } from "../support/recorder.js";

beforeEach(() => {
  vi.stubEnv("NOTETAKER_BASE_URL", "");
  vi.stubEnv("NOTETAKER_TOKEN", "");
});
afterEach(() => void vi.unstubAllEnvs());

function refused(options: unknown): ConfigurationError {
  try {
    new Notetaker(options as ClientOptions);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    const refusal = error as ConfigurationError;
    expect(refusal).toMatchObject({ name: "ConfigurationError", outcome: "not_sent", retryable: false, attempts: 0 });
    expect(refusal.message).not.toMatch(/[\r\n]/);
    return refusal;
  }
  throw new Error("expected a ConfigurationError");
}

describe("baseUrl", () => {
  const HOW = " Set the baseUrl option or NOTETAKER_BASE_URL to an absolute URL that ends in /v1.";
  const CREDENTIALS = "must not contain credentials, a query or a hash";
  const PLAIN_HTTP = "uses http:, which is allowed only for loopback hosts such as localhost";

  it.each<[string, unknown, string]>([
    ["missing", undefined, "is missing"],
    ["empty", "", "is missing"],
    ["not a string", 5, "is not a string"],
    ["a URL object", new URL(BASE_URL), "is not a string"],
    ["null", null, "is missing"],
    ["relative", "/v1", "is not an absolute http(s) URL"],
    ["without a scheme", "api.example.com/v1", "is not an absolute http(s) URL"],
    ["relative to a scheme", "//api.example.com/v1", "is not an absolute http(s) URL"],
    ["of another scheme", "ftp://api.example.com/v1", "is not an absolute http(s) URL"],
    ["without a host", "https:///v1", "is not an absolute http(s) URL"],
    ["with one slash", "https:/api.example.com/v1", "is not an absolute http(s) URL"],
    ["with a space", "https://api.example.com /v1", "is not an absolute http(s) URL"],
    ["with a line break", "https://api.example.com/v1\n", "is not an absolute http(s) URL"],
    ["with a backslash", "https://api.example.com\\v1", "is not an absolute http(s) URL"],
    ["with an invalid port", "https://api.example.com:99999/v1", "is not an absolute http(s) URL"],
    ["without /v1", "https://api.example.com", "does not end in /v1"],
    ["for another version", "https://api.example.com/v2", "does not end in /v1"],
    ["with /v1 not at its end", "https://api.example.com/v1/rooms", "does not end in /v1"],
    ["with /v1 as part of a name", "https://api.example.com/apiv1", "does not end in /v1"],
    ["with /V1 in capitals", "https://api.example.com/V1", "does not end in /v1"],
    ["with two slashes at its end", "https://api.example.com/v1//", "does not end in /v1"],
    ["with a query", "https://api.example.com/v1?x=1", CREDENTIALS],
    ["with an empty query", "https://api.example.com/v1?", CREDENTIALS],
    ["with a fragment", "https://api.example.com/v1#x", CREDENTIALS],
    ["with an empty fragment", "https://api.example.com/v1#", CREDENTIALS],
    ["with a user name and a password", "https://ada:s3cr3t@api.example.com/v1", CREDENTIALS],
    ["with a user name", "https://ada@api.example.com/v1", CREDENTIALS],
    ["plain http", "http://api.example.com/v1", PLAIN_HTTP],
    ["plain http to a private address", "http://192.168.0.1/v1", PLAIN_HTTP],
    ["plain http to any address", "http://0.0.0.0/v1", PLAIN_HTTP],
    ["plain http to a host name that begins with localhost", "http://localhost.example.com/v1", PLAIN_HTTP],
    ["plain http to a host name that begins with 127.0.0.1", "http://127.0.0.1.example.com/v1", PLAIN_HTTP],
  ])("is refused if it is %s", (_, baseUrl, why) => {
    const { message } = refused({ baseUrl, token: TOKEN });
    const wayOut =
      why === PLAIN_HTTP ? " Use https:, or set allowInsecureHttp: true if the token may travel unencrypted." : HOW;
    expect(message).toBe(`baseUrl ${why}.${wayOut}`);
    expect(message).not.toContain("s3cr3t");
  });

  it.each([
    "https://api.example.com/v1",
    "https://api.example.com/v1/",
    "https://api.example.com:8443/a/b/v1",
    "https://[2001:db8::1]/v1",
    "http://localhost/v1",
    "http://localhost:3000/v1",
    "http://api.localhost:3000/v1",
    "http://127.0.0.1:1/v1",
    "http://127.8.9.10/v1",
    "http://[::1]:1/v1",
  ])("is accepted: %s", (baseUrl) => {
    expect(new Notetaker({ baseUrl, token: TOKEN })).toBeInstanceOf(Notetaker);
  });

  it("loses the slash at its end", async () => {
    const { notetaker, seen } = clientOf(() => json([]), { baseUrl: `${BASE_URL}/` });
    await notetaker.webhooks.list();
    expect(seen[0]?.request.url).toBe(`${BASE_URL}/webhooks`);
  });
});

describe("the token", () => {
  it.each([undefined, null, ""])("counts as missing if it is %o", (token) => {
    expect(refused({ baseUrl: BASE_URL, token }).message).toBe(
      "The token is missing. Set the token option or NOTETAKER_TOKEN.",
    );
  });

  it.each<[unknown, string]>([
    [5, "expected a string, received a number"],
    [{}, "expected a string, received an object"],
    [[TOKEN], "expected a string, received an array"],
    [`${TOKEN}\n`, "expected visible ASCII characters, without white space or line breaks"],
    [` ${TOKEN}`, "expected visible ASCII characters, without white space or line breaks"],
    [`my bearer ${TOKEN}`, "expected visible ASCII characters, without white space or line breaks"],
    [`Bearer ${TOKEN}`, 'expected the token alone, without "Bearer "'],
    [`bearer ${TOKEN}`, 'expected the token alone, without "Bearer "'],
  ])("is refused by the constructor if it is %o, and the error does not show it", (token, problem) => {
    const { message } = refused({ baseUrl: BASE_URL, token });
    expect(message).toBe(`The token is invalid: ${problem}. Set the token option or NOTETAKER_TOKEN.`);
    expect(message).not.toContain(TOKEN);
  });
});

describe("the environment", () => {
  it("provides the base URL and the token if the options omit them", async () => {
    vi.stubEnv("NOTETAKER_BASE_URL", "https://env.example.com/v1");
    vi.stubEnv("NOTETAKER_TOKEN", "tok_of_the_environment");
    const { fetch, seen } = clientOf(() => json([]));
    await new Notetaker({ fetch }).webhooks.list();
    await new Notetaker({ fetch, baseUrl: undefined, token: undefined }).webhooks.list();
    for (const { request, headers } of seen) {
      expect(request.url).toBe("https://env.example.com/v1/webhooks");
      expect(headers.authorization).toBe("Bearer tok_of_the_environment");
    }
    expect(seen).toHaveLength(2);
  });

  it("is ignored if the options give the base URL and the token", async () => {
    vi.stubEnv("NOTETAKER_BASE_URL", "https://env.example.com/v1");
    vi.stubEnv("NOTETAKER_TOKEN", "tok_of_the_environment");
    const { notetaker, seen } = clientOf(() => json([]));
    await notetaker.webhooks.list();
    expect(seen[0]!.request.url).toBe(`${BASE_URL}/webhooks`);
    expect(seen[0]!.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it("is checked by the same rules as the options", () => {
    vi.stubEnv("NOTETAKER_BASE_URL", "http://env.example.com/v1");
    vi.stubEnv("NOTETAKER_TOKEN", TOKEN);
    expect(refused({}).message).toContain("baseUrl uses http:");
  });

  it("may be missing or unreadable: the error then names the missing option", () => {
    vi.stubGlobal("process", undefined);
    expect(refused({ baseUrl: BASE_URL }).message).toContain("The token is missing");
    vi.stubGlobal("process", {
      get env() {
        throw new Error("denied");
      },
    });
    expect(refused({ token: TOKEN }).message).toContain("baseUrl is missing");
    vi.unstubAllGlobals();
  });
});

describe("a client option", () => {
  const right = { baseUrl: BASE_URL, token: TOKEN };
  const throttle = (value: unknown): [string, unknown] => ["throttle", value];
  it.each<[string, unknown]>([
    ["timeoutMs", 0],
    ["timeoutMs", -1],
    ["timeoutMs", Number.NaN],
    ["timeoutMs", Number.POSITIVE_INFINITY],
    ["timeoutMs", 2_147_483_648],
    ["timeoutMs", "30"],
    ["timeoutMs", null],
    ["deadlineMs", 0],
    ["deadlineMs", 2_147_483_648],
    ["maxRetries", -1],
    ["maxRetries", 1.5],
    ["maxRetries", Number.POSITIVE_INFINITY],
    ["maxRetries", "2"],
    ["maxRetryDelayMs", -1],
    ["maxRetryDelayMs", Number.NaN],
    ["fetch", {}],
    ["fetch", "node-fetch"],
    ["headers", "x: y"],
    ["headers", null],
    ["headers", [["x"]]],
    ["headers", { host: "example.com" }],
    ["headers", { "Content-Length": "5" }],
    ["headers", new Headers({ connection: "close" })],
    ["headers", { Authorization: "Basic x" }],
    ["headers", { x: "1\r\ny: 2" }],
    ["fetchOptions", { signal: new AbortController().signal }],
    ["maxResponseBytes", 0],
    ["allowInsecureHttp", "yes"],
    ["appInfo", { name: "" }],
    ["onRetry", {}],
    ["logger", {}],
    ["logger", null],
    ["logger", true],
    ["logger", { debug() {}, info() {}, warn() {} }],
    ["middleware", () => {}],
    ["middleware", [undefined]],
    ["validation", "loose"],
    ["validation", true],
    ["assumptions", "id"],
    ["assumptions", { documents: "format" }],
    ["assumptions", { documents: { titles: "summary" } }],
    ["assumptions", { documents: { titles: { notes: "x" } } }],
    ["assumptions", { documents: { titles: { summary: "" } } }],
    ...["yes", 10, null, { sendBot: { perMinute: 0 } }, { sendBot: { perHour: -1 } }].map(throttle),
    ...[{ upload: { perMinute: Number.NaN } }, { other: { perMinute: "10" } }, { others: {} }].map(throttle),
    ...[{ other: { perHour: 10 } }, { acquire: async () => {} }, { acquire: async () => {}, hold: true }].map(throttle),
    ["conferenceHosts", "meet.example.com"],
    ["conferenceHosts", ["https://meet.example.com/"]],
    ["conferenceHosts", [""]],
    ["conferenceHosts", ["meet.example.com/j"]],
    ["conferenceHosts", ["a b"]],
    ["conferenceHosts", [5]],
  ])("%s with the value %o is refused, and the error names it", (name, value) => {
    expect(refused({ ...right, [name]: value }).message).toMatch(new RegExp(`^The client's options: ${name}`));
  });

  const BY_CLIENT = "is set by the client:";
  const BY_CONNECTION = "is set by the connection and cannot be changed";
  it.each<[unknown, string]>([
    [{ "x y": "1" }, "headers.x y: is not a header name"],
    [{ "": "1" }, "headers.: is not a header name"],
    [{ Authorization: "Basic x" }, `headers.Authorization: ${BY_CLIENT} use the token option`],
    [{ "content-type": "text/plain" }, `headers.content-type: ${BY_CLIENT} it follows from the body`],
    [{ host: "example.com" }, `headers.host: ${BY_CONNECTION}`],
    [{ host: null }, `headers.host: ${BY_CONNECTION}`],
    [{ a: 5 }, "headers.a: expected a string, received a number"],
    [{ a: "1\r\nb: 2" }, "headers.a: expected Latin-1 characters, without control characters"],
    [{ a: "1", b: "€" }, "headers.b: expected Latin-1 characters, without control characters"],
    [[["a"]], "headers: expected pairs of a name and a value"],
    [[["a", "1", "2"]], "headers: expected pairs of a name and a value"],
    [[[5, "1"]], "headers: expected pairs of a name and a value"],
    [["ab"], "headers: expected pairs of a name and a value"],
  ])("headers with the value %o is refused with the reason", (headers, reason) => {
    expect(refused({ ...right, headers }).message).toBe(`The client's options: ${reason}`);
  });

  it.each<[string, object]>([
    ["apiKey", { apiKey: TOKEN }],
    ["timeout", { timeout: 5 }],
    ["assumptions.room", { assumptions: { room: {} } }],
    ["assumptions.rooms.id", { assumptions: { rooms: { id: "room_ids" } } }],
    ["assumptions.meetings.cursors", { assumptions: { meetings: { cursors: "x" } } }],
  ])("%s is refused as unknown, and the error does not show its value", (name, options) => {
    const { message } = refused({ ...right, ...options });
    expect(message.startsWith(`The client's options: ${name}: unknown option; `)).toBe(true);
    expect(message).not.toContain(TOKEN);
  });

  it.each([
    ["assumptions.rooms.ids", { rooms: { ids: "" } }],
    ["assumptions.documents.format", { documents: { format: 5 } }],
    ["assumptions.permissions.limit", { permissions: { limit: null } }],
  ])("%s is refused if it is not a parameter name", (path, assumptions) => {
    expect(refused({ ...right, assumptions }).message).toContain(path);
  });

  it("is refused if the options are not an object", () => {
    for (const options of [null, 5, "https://api.example.com/v1", [], () => {}]) {
      expect(refused(options).message).toMatch(/^The client's options: expected an object/);
    }
  });

  it("is accepted at its limits, and undefined means the default", () => {
    const edges: ClientOptions[] = [
      { timeoutMs: 1, deadlineMs: 2_147_483_647, maxRetries: 0, maxRetryDelayMs: 0 },
      { timeoutMs: 2_147_483_647, deadlineMs: 0.5, maxRetries: 1_000 },
      { headers: new Map([["x", "y"]]), logger: () => {} },
      {
        headers: [["x", "y"]],
        fetchOptions: { next: { revalidate: 60 } },
        maxResponseBytes: 1,
        appInfo: { name: "a" },
      },
      { headers: new Headers({ x: "y" }), allowInsecureHttp: true, baseUrl: "http://emulator:4010/v1" },
      { headers: {}, middleware: [], logger: console, validation: "off", assumptions: {} },
      { assumptions: { rooms: {}, permissions: { cursor: "c" }, documents: undefined as never } },
      { timeoutMs: undefined, deadlineMs: undefined, maxRetries: undefined, maxRetryDelayMs: undefined },
      { fetch: undefined, headers: undefined, logger: undefined, middleware: undefined, validation: undefined },
      { assumptions: undefined },
    ];
    for (const options of edges) expect(new Notetaker({ ...right, ...options })).toBeInstanceOf(Notetaker);
  });
});

describe("constructing a client", () => {
  it("touches no global, starts no timer and sends no request", () => {
    const touched: string[] = [];
    const globals = "fetch Request Response Headers setTimeout setInterval AbortController ReadableStream".split(" ");
    for (const name of globals) {
      vi.stubGlobal(
        name,
        new Proxy(globalThis[name as "fetch"], {
          apply: () => void touched.push(name),
          construct: () => {
            touched.push(name);
            return {};
          },
          get: (target, key) => {
            touched.push(`${name}.${String(key)}`);
            return Reflect.get(target, key);
          },
        }),
      );
    }
    const token = vi.fn(() => TOKEN);
    const options = { timeoutMs: 5, deadlineMs: 5, headers: { a: "b" } };
    new Notetaker({ baseUrl: BASE_URL, token, middleware: [async (r, n) => n(r)], ...options });
    vi.unstubAllGlobals();
    expect(touched).toEqual([]);
    expect(token).not.toHaveBeenCalled();
  });

  it("copies the options", async () => {
    const headers: Record<string, string> = { "x-a": "1" };
    const { notetaker, seen } = clientOf(() => json([]), { headers });
    headers["x-a"] = "2";
    await notetaker.webhooks.list();
    expect(seen[0]!.headers["x-a"]).toBe("1");
  });
});

describe("a client without options", () => {
  it("has the documented defaults", () => {
    expect(configuration({ baseUrl: BASE_URL, token: TOKEN })).toMatchObject({
      ...{ timeoutMs: 30_000, maxRetries: 2, maxRetryDelayMs: 60_000, maxResponseBytes: 67_108_864 },
      ...{ validation: "strict", deadlineMs: undefined, throttle: undefined, logger: undefined },
      documentTitles: { summary: "summary", action_items: "action items" },
    });
  });
});

describe("the User-Agent header", () => {
  const agentWith = async (globals: Record<string, unknown>, options: object = {}) => {
    const { notetaker, seen } = clientOf(() => json([]));
    vi.stubGlobal("process", undefined);
    vi.stubGlobal("navigator", undefined);
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    const client = notetaker.withOptions(options);
    vi.unstubAllGlobals();
    await client.webhooks.list();
    return seen[0]?.headers["user-agent"];
  };

  it.each<[string, Record<string, unknown>, string | undefined]>([
    ["Node", { process: { versions: { node: "22.1.0" } } }, "node/22.1.0"],
    ["Bun", { process: { versions: { node: "22.1.0", bun: "1.2.0" } } }, "bun/1.2.0"],
    ["Deno", { Deno: { version: { deno: "2.1.0" } }, process: { versions: { node: "22.1.0" } } }, "deno/2.1.0"],
    ["workerd", { navigator: { userAgent: "Cloudflare-Workers" }, process: { versions: { node: "22" } } }, "workerd"],
    ["an edge runtime", { EdgeRuntime: "edge", process: {} }, "edge-runtime"],
    ["a browser", { navigator: { userAgent: "Mozilla/5.0" } }, undefined],
    ["a Deno without a version", { Deno: {} }, undefined],
  ])("has a User-Agent with the runtime: %s", async (_, globals, runtime) => {
    const agent = await agentWith(globals);
    expect(agent).toEqual(runtime === undefined ? undefined : expect.stringMatching(/^notetaker-sdk\/[\d.]+ \(.+\)$/));
    if (runtime !== undefined) expect(agent).toContain(`(${runtime})`);
  });

  it("has a User-Agent with the application's name, in characters that a header may contain", async () => {
    const node = { process: { versions: { node: "22.1.0" } } };
    expect(await agentWith(node, { appInfo: { name: "my-app", version: "2.0" } })).toMatch(/\) my-app\/2\.0$/);
    expect(await agentWith(node, { appInfo: { name: "Büro ~" } })).toMatch(/\) B\?ro ~$/);
  });
});
