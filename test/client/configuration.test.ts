/** The constructor refuses an invalid configuration, with a message that says what to set. */
import { type ClientOptions, ConfigurationError, type Fetch, Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { configuration } from "../../src/configuration/configuration.js";
import type { TransportConfig } from "../../src/transport/transport-config.js";
import { BASE_URL, clientOf, json, refusal, TOKEN } from "../support/recorder.js";

beforeEach(() => {
  vi.stubEnv("NOTETAKER_BASE_URL", "");
  vi.stubEnv("NOTETAKER_TOKEN", "");
});

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
  const at = (...paths: string[]) => paths.map((path) => `https://api.example.com${path}`);
  const HTTP_HOSTS = ["api.example.com", "192.168.0.1", "0.0.0.0", "localhost.example.com", "127.0.0.1.example.com"];
  const REFUSED: Record<string, unknown[]> = {
    "is missing": [undefined, "", null],
    "is not a string": [5, new URL(BASE_URL)],
    "is not an absolute http(s) URL": [
      ...["/v1", "api.example.com/v1", "//api.example.com/v1", "ftp://api.example.com/v1", "https:///v1"],
      ...["https:/api.example.com/v1", "https://api.example.com /v1", "https://api.example.com/v1\n"],
      ...["https://api.example.com\\v1", "https://api.example.com:99999/v1"],
    ],
    "does not end in /v1": at("", "/v2", "/v1/rooms", "/apiv1", "/V1", "/v1//"),
    "must not contain credentials, a query or a hash": [
      ...at("/v1?x=1", "/v1?", "/v1#x", "/v1#"),
      ...["https://ada:s3cr3t@api.example.com/v1", "https://ada@api.example.com/v1"],
    ],
    "uses http:, which is allowed only for loopback hosts such as localhost": HTTP_HOSTS.map(
      (host) => `http://${host}/v1`,
    ),
  };
  it.each(Object.entries(REFUSED))("is refused if it %s", (why, urls) => {
    for (const baseUrl of urls) {
      const { message } = refused({ baseUrl, token: TOKEN });
      expect(message).toContain(`baseUrl ${why}.`);
      expect(message).not.toContain("s3cr3t");
    }
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
});

describe("a client without options", () => {
  it("is refused with one message that names the URL, the token and the emulator", () => {
    for (const options of [undefined, {}, { baseUrl: "", token: "" }, { timeoutMs: 5 }]) {
      const { message } = refused(options);
      for (const name of [
        "baseUrl and token are missing",
        "NOTETAKER_BASE_URL",
        "NOTETAKER_TOKEN",
        "createEmulator()",
      ]) {
        expect(message).toContain(name);
      }
    }
  });

  it("is refused if it gets the emulator itself, with what to pass", () => {
    for (const emulator of [createEmulator(), createEmulator({ accounts: { tok_a: {} } }).as("tok_a")])
      expect(refused(emulator).message).toContain("new Notetaker(service.clientOptions)");
  });
});

describe("a 401", () => {
  it("names the option or variable that the token came from", async () => {
    vi.stubEnv("NOTETAKER_TOKEN", "tok_of_the_environment");
    const { notetaker, fetch } = clientOf(() => refusal(401, "unauthorized"));
    const message = "GET /webhooks answered 401 unauthorized: the service says unauthorized; the token came from ";
    await expect(notetaker.webhooks.list()).rejects.toThrow(`${message}the token option`);
    const ofEnvironment = new Notetaker({ fetch, baseUrl: BASE_URL });
    for (const client of [ofEnvironment, ofEnvironment.withOptions({})])
      await expect(client.webhooks.list()).rejects.toThrow(`${message}NOTETAKER_TOKEN`);
  });
});

describe("the token", () => {
  it("counts as missing if it is undefined, null or empty", () => {
    for (const token of [undefined, null, ""]) {
      const { message } = refused({ baseUrl: BASE_URL, token });
      expect(message).toBe("The token is missing. Set the token option or NOTETAKER_TOKEN.");
    }
  });

  const INVALID: Record<string, unknown[]> = {
    "expected a string": [5, {}, [TOKEN]],
    "expected visible ASCII characters": [`${TOKEN}\n`, ` ${TOKEN}`, `my bearer ${TOKEN}`],
    'expected the token alone, without "Bearer "': [`Bearer ${TOKEN}`, `bearer ${TOKEN}`],
  };
  it.each(Object.entries(INVALID))(
    "is refused by the constructor, and the error does not show it: %s",
    (problem, tokens) => {
      for (const token of tokens) {
        const { message } = refused({ baseUrl: BASE_URL, token });
        expect(message).toContain(`: ${problem}`);
        expect(message).not.toContain(TOKEN);
      }
    },
  );
});

describe("the environment", () => {
  it.each([
    [{}, "https://env.example.com/v1", "tok_of_the_environment"],
    [{ baseUrl: undefined, token: undefined }, "https://env.example.com/v1", "tok_of_the_environment"],
    [{ baseUrl: BASE_URL, token: TOKEN }, BASE_URL, TOKEN],
  ])("provides the base URL and the token if the options omit them: %o", async (options, baseUrl, token) => {
    vi.stubEnv("NOTETAKER_BASE_URL", "https://env.example.com/v1");
    vi.stubEnv("NOTETAKER_TOKEN", "tok_of_the_environment");
    const urls: [string, string | undefined][] = [];
    const fetch: Fetch = async (url, { headers }) => {
      urls.push([url, headers.authorization]);
      return json([]);
    };
    await new Notetaker({ fetch, ...options }).webhooks.list();
    expect(urls).toEqual([[`${baseUrl}/webhooks`, `Bearer ${token}`]]);
  });

  it("is checked by the same rules as the options", () => {
    vi.stubEnv("NOTETAKER_BASE_URL", "http://env.example.com/v1");
    vi.stubEnv("NOTETAKER_TOKEN", TOKEN);
    expect(refused({}).message).toContain("http:");
  });

  it("may be missing or unreadable: the error then names the missing option", () => {
    vi.stubGlobal("process", undefined);
    expect(refused({ baseUrl: BASE_URL }).message).toContain("NOTETAKER_TOKEN");
    vi.stubGlobal("process", {
      get env() {
        throw new Error("denied");
      },
    });
    expect(refused({ token: TOKEN }).message).toContain("NOTETAKER_BASE_URL");
    vi.unstubAllGlobals();
  });
});

describe("a client option", () => {
  const right = { baseUrl: BASE_URL, token: TOKEN };
  /** The constructor checks `baseUrl` and `token` by rules of their own, which are tested above. */
  const REFUSED: Record<Exclude<keyof ClientOptions, "baseUrl" | "token">, [unknown, ...unknown[]]> = {
    timeoutMs: [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2_147_483_648, "30", null],
    deadlineMs: [0, 2_147_483_648],
    maxRetries: [-1, 1.5, Number.POSITIVE_INFINITY, "2"],
    maxRetryDelayMs: [-1, Number.NaN],
    maxResponseBytes: [0],
    allowInsecureHttp: ["yes"],
    fetch: [{}, "node-fetch"],
    fetchOptions: [{ signal: new AbortController().signal }],
    headers: ["x: y", null],
    appInfo: [{ name: "" }],
    logger: [{}, null, true, { debug() {}, info() {}, warn() {} }],
    middleware: [() => {}, [undefined]],
    throttle: [
      "yes",
      ...[10, null, { sendBot: { perMinute: 0 } }, { sendBot: { perHour: -1 } }],
      ...[{ upload: { perMinute: Number.NaN } }, { other: { perMinute: "10" } }, { others: {} }],
      ...[{ other: { perHour: 10 } }, { acquire: async () => {} }, { acquire: async () => {}, pause: true }],
    ],
    onThrottle: [{}],
    onRetry: [{}],
    conferenceHosts: ["meet.example.com", ...[["https://meet.example.com/"], [""], ["a.example/j"], ["a b"], [5]]],
    validation: ["loose", true],
    assumptions: [
      "id",
      ...[{ documents: "format" }, { documents: { titles: "summary" } }],
      ...[{ documents: { titles: { notes: "x" } } }, { documents: { titles: { summary: "" } } }],
    ],
  };
  const refusedValues = Object.entries(REFUSED).flatMap(([name, values]) =>
    values.map((value): [string, unknown] => [name, value]),
  );
  it.each(refusedValues)("%s with the value %o is refused, and the error names it", (name, value) => {
    expect(refused({ ...right, [name]: value }).message).toMatch(new RegExp(`: ${name}`));
  });

  it("that is unknown is refused, and the error does not show its value", () => {
    const UNKNOWN: Record<string, object> = {
      apiKey: { apiKey: TOKEN },
      timeout: { timeout: 5 },
      "assumptions.room": { assumptions: { room: {} } },
      "assumptions.rooms.id": { assumptions: { rooms: { id: "room_ids" } } },
      "assumptions.meetings.cursors": { assumptions: { meetings: { cursors: "x" } } },
    };
    for (const [name, options] of Object.entries(UNKNOWN)) {
      const { message } = refused({ ...right, ...options });
      expect(message.startsWith(`The client's options: ${name}: unknown`)).toBe(true);
      expect(message).not.toContain(TOKEN);
    }
  });

  it.each([
    ["assumptions.rooms.ids", { rooms: { ids: "" } }],
    ["assumptions.documents.format", { documents: { format: 5 } }],
    ["assumptions.permissions.limit", { permissions: { limit: null } }],
  ])("%s is refused if it is not a parameter name", (path, assumptions) => {
    expect(refused({ ...right, assumptions }).message).toContain(path);
  });

  it("is refused if the options are not an object", () => {
    for (const options of [null, 5, "https://api.example.com/v1", [], () => {}]) refused(options);
  });

  it("is accepted at its limits, and undefined means the default", () => {
    const edges: ClientOptions[] = [
      { timeoutMs: 1, deadlineMs: 2_147_483_647, maxRetries: 0, maxRetryDelayMs: 0 },
      { timeoutMs: 2_147_483_647, deadlineMs: 0.5, maxRetries: 1_000 },
      { headers: new Map([["x", "y"]]), logger: () => {} },
      { headers: [["x", "y"]], fetchOptions: { next: { tags: [] } }, maxResponseBytes: 1, appInfo: { name: "a" } },
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
});

describe("a client without options", () => {
  it("has the documented defaults", () => {
    const defaults: Omit<TransportConfig, "headers" | "names" | "documentTitles"> = {
      ...{ baseUrl: BASE_URL, token: TOKEN, tokenSource: "the token option" },
      ...{ timeoutMs: 30_000, deadlineMs: undefined, maxRetries: 2, maxRetryDelayMs: 60_000 },
      ...{ maxResponseBytes: 67_108_864, validation: "strict", fetch: undefined, fetchOptions: {} },
      ...{ logger: undefined, middleware: [], aroundCall: undefined, conferenceHosts: [] },
      ...{ throttle: undefined, onThrottle: undefined, onRetry: undefined },
    };
    const actual = configuration({ baseUrl: BASE_URL, token: TOKEN });
    for (const [name, value] of Object.entries(defaults))
      expect({ [name]: actual[name as "timeoutMs"] }).toEqual({ [name]: value });
    expect(actual.documentTitles).toMatchObject({ summary: "summary", action_items: "action items" });
  });
});
