/** The token, a webhook's secret and a recording link never appear in errors, logs and inspected objects. */
import fc from "fast-check";
import { type ClientOptions, ConfigurationError, Notetaker } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { expectHidden, failureOf, PART, SECRET, TOKEN } from "../redact/hidden.js";
import { cpuTimeOf } from "../support/cpu-time.js";
import { BASE_URL, clientOf, json, rejection, settingHeader } from "../support/recorder.js";
import * as samples from "../support/samples.js";

const LINK = "https://storage.example.com/r?sig=s3cr3t&x=1";

/** JSON as written by PHP and some other languages. */
const escapedJson = (value: unknown) => JSON.stringify(value).replaceAll("/", "\\/");
const unicodeJson = (value: unknown) => JSON.stringify(value).replaceAll("+", "\\u002B");
/** As React, Rails and other frameworks write a page. */
const html = (text: string) =>
  text.replace(/["&'+/<=>\\]/g, (character) => `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`);

it("the client, its resources and its calls do not show the token", async () => {
  for (const token of [TOKEN, () => TOKEN]) {
    const { notetaker } = clientOf(() => json([]), { token, headers: { "x-team": "a" } });
    const call = notetaker.webhooks.list();
    const failed = notetaker.rooms.list().catch(() => {});
    for (const shown of [notetaker, ...Object.values(notetaker), call, failed]) expectHidden(shown, PART);
    await call;
    expectHidden(call, PART);
  }
});

describe("a token that a response repeats", () => {
  const error = (fields: object) => ({ error: { code: "bad_request", message: "m", ...fields } });
  const bearer = `Bearer ${TOKEN}`;
  const input = { loc: ["header"], msg: `bad ${TOKEN}`, type: "t", input: { authorization: bearer } };
  it.each<[string, string, headers?: Record<string, string>]>([
    ["as its code", JSON.stringify(error({ code: TOKEN }))],
    ["in its details", JSON.stringify(error({ details: [{ field: "token", message: bearer }] }))],
    ["in the input of a 422 detail", JSON.stringify({ detail: [input] })],
    ["in JSON that is cut off", escapedJson({ error: TOKEN, x: "x" }).slice(0, -4)],
    ["in JSON of unknown shape, escaped", unicodeJson({ errors: [TOKEN] })],
    ["in HTML", `<html>${TOKEN}</html>`, { "content-type": "text/html" }],
    ["in HTML with character references", `<html>${html(TOKEN)}</html>`, { "content-type": "text/html" }],
    ["in HTML with named references", `<p>${TOKEN.replaceAll("+", "&plus;").replaceAll("/", "&sol;")}</p>`],
    ["many times, up to the point where the text is cut", `xx${TOKEN}`.repeat(500)],
    ["in a response header", JSON.stringify(error({})), { "x-echo": bearer }],
    ["as the media type", "<html>", { "content-type": `text/${TOKEN}` }],
  ])("does not appear in an error: %s", async (_, text, headers = { "content-type": "application/json" }) => {
    for (const status of [400, 401, 404, 422, 500, 200]) {
      expectHidden(await failureOf(() => new Response(text, { status, headers })), PART);
    }
  });

  it("does not appear in an error, for any token, at any place in a response of any structure, in any encoding", async () => {
    const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
    const formsOf = (token: string) => [
      ...[token, inJson(token), inJson(inJson(token)), escapedJson(token).slice(1, -1), JSON.stringify({ token })],
      ...[encodeURIComponent(token), encodeURIComponent(token).replace(/%../g, (code) => code.toLowerCase())],
      ...[new URLSearchParams({ token }).toString(), html(token), `${token}, ${token}`],
    ];
    const hiddenFormsOf = (token: string) => [
      ...[token, inJson(token), inJson(inJson(token)), encodeURIComponent(token)],
      html(token),
    ];
    const visible = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 16,
    });
    const responses = visible.chain((rest) => {
      const token = `T0${rest}`;
      const forms = formsOf(token);
      const leaf = fc.oneof(fc.constantFrom(...forms), fc.constantFrom("text", 5, null, true));
      const { value } = fc.letrec((tie) => ({
        value: fc.oneof({ depthSize: "small" }, leaf, fc.array(tie("value"), { maxLength: 3 }), tie("object")),
        object: fc.dictionary(
          fc.constantFrom("error", "detail", "code", "message", "data", "x", ...forms),
          tie("value"),
          { maxKeys: 4 },
        ),
      }));
      return fc.tuple(fc.constant(token), value, fc.constantFrom(200, 400, 401, 422, 500), fc.boolean());
    });
    await fc.assert(
      fc.asyncProperty(responses, async ([token, body, status, cut]) => {
        const text = JSON.stringify(body);
        // A list without webhooks is a success.
        fc.pre(status !== 200 || cut || text !== "[]");
        const answer = () =>
          new Response(cut ? text.slice(0, -1) : text, { status, headers: { "x-echo": encodeURIComponent(token) } });
        expectHidden(await failureOf(answer, { token }), ...hiddenFormsOf(token));
      }),
    );
  });

  it("is replaced by [redacted]", async () => {
    const error = await failureOf(() => json({ error: { code: "bad_request", message: `bad token ${TOKEN}!` } }, 400));
    expect(error.message).toMatch(/ bad_request: bad token \[redacted\]!$/);
    expect(error.body).toEqual({ error: { code: "bad_request", message: "bad token [redacted]!" } });
  });

  it("does not appear in an error after it changed between two attempts, neither the old nor the new one", async () => {
    let asked = 0;
    const token = () => `tok_number_${++asked}_of_this_call`;
    const { notetaker } = clientOf(() => json({ error: "tok_number_1_of_this_call tok_number_2_of_this_call" }, 500), {
      token,
      maxRetries: 1,
      maxRetryDelayMs: 0,
    });
    const error = await rejection(notetaker.webhooks.list());
    expect(asked).toBe(2);
    expectHidden(error, "tok_number_1", "tok_number_2");
    expect(String(error)).toContain("[redacted] [redacted]");
  });

  it("causes no failure if it is as long as a header may be", async () => {
    const length = 16_384;
    const token = `eyJ${"hbGciOiJIUzI1NiJ9.".repeat(length)}`.slice(0, length);
    for (const status of [200, 401, 404, 429, 500]) {
      const error = await failureOf(() => json({ error: { code: "x", message: `bad ${token}` } }, status), { token });
      expect((error as Error).name).toMatch(/^(ResponseValidation|Unauthorized|NotFound|RateLimited|Server)Error$/);
      expectHidden(error, token.slice(0, 20));
    }
    const error = await failureOf(() => Promise.reject(new Error(`cannot send ${token}`)), { token });
    expect(error).toMatchObject({ name: "ConnectionError" });
    expectHidden(error, token.slice(0, 20));
  });

  it.each<[string, () => string, number]>([
    ["a 200 of a million strings", () => JSON.stringify(Array(1_000_000).fill("x")), 200],
    ["a 200 of one string of 4 MB", () => JSON.stringify(["word ".repeat(800_000)]), 200],
    ["a 200 that is not JSON, of 4 MB", () => 'secret="'.repeat(500_000), 200],
    ["a 400 of 240 KB", () => JSON.stringify({ error: { code: "x", message: "a".repeat(240_000) } }), 400],
  ])("causes an error in linear time for %s, with a token of 2,000 characters", async (_, body, status) => {
    const text = body();
    let error: unknown;
    const time = await cpuTimeOf(async () => {
      error = await failureOf(() => new Response(text, { status }), { token: "Ab1".repeat(667) });
    });
    expect(time).toBeLessThan(20_000);
    expect((error as Error).name).toMatch(/^(ResponseValidationError|ApiError|BadRequestError)$/);
  });

  it("is not replaced if it has only three letters, because other text would become unreadable", async () => {
    const error = await failureOf(() => json({ error: { code: "bad_request", message: "a bad call" } }, 400), {
      token: "bad",
    });
    expect(error.message).toContain("a bad call");
  });
});

describe("a token of a client with a middleware", () => {
  const echo = (text: string) => json({ error: { code: "bad_request", message: `bad:${text}!` } }, 400);

  it("does not appear in an error if the middleware returns its own response that repeats it", async () => {
    const middleware = [async (request: Request) => echo(request.headers.get("authorization") ?? "")];
    expectHidden(await failureOf(() => json([]), { middleware }), PART);
  });

  it.each(["Bearer  other+def+ghi", "Basic other+def+ghi", "Custom\tother+def+ghi"])(
    "does not appear in an error if the middleware sets other credentials, and these do not either: %j",
    async (authorization) => {
      const middleware = [settingHeader("authorization", authorization)];
      expectHidden(await failureOf(() => echo("other+def+ghi"), { middleware }), PART);
    },
  );

  it("may be removed by the middleware", async () => {
    const middleware: ClientOptions["middleware"] = [
      (request, next) => {
        request.headers.delete("authorization");
        return next(request);
      },
    ];
    const { notetaker, seen } = clientOf(() => echo("call"), { token: TOKEN, middleware });
    expect(await rejection(notetaker.webhooks.list())).toMatchObject({ name: "BadRequestError", code: "bad_request" });
    expect(seen[0]?.headers).not.toHaveProperty("authorization");
  });
});

describe("a token that cannot be sent", () => {
  it.each([`${TOKEN}\r\nx: y`, ` ${TOKEN}`, `${TOKEN}é`, `${TOKEN}\0`])(
    "is refused, and the error does not show it: %j",
    async (token) => {
      expect(() => clientOf(() => json([]), { token })).toThrow(ConfigurationError);
      for (const given of [() => token, async () => token]) {
        const { notetaker, seen } = clientOf(() => json([]), { token: given });
        const error = await rejection(notetaker.webhooks.list());
        const issues = [{ path: "token" }];
        expect(error).toMatchObject({ name: "InvalidArgumentError", issues, outcome: "not_sent", attempts: 0 });
        expectHidden(error, PART);
        expect(seen).toEqual([]);
      }
    },
  );

  it.each([undefined, null, "", 5, {}])("is refused if the token function returns %o", async (token) => {
    const { notetaker, seen } = clientOf(() => json([]), { token: () => token as string });
    expect(await rejection(notetaker.webhooks.list())).toMatchObject({
      name: "InvalidArgumentError",
      issues: [{ path: "token" }],
    });
    expect(seen).toEqual([]);
  });
});

describe("a webhook's secret", () => {
  const create = (answer: () => Response, options: ClientOptions = {}) => {
    const records: unknown[] = [];
    const write = (...record: unknown[]) => void records.push(record);
    const logger = { debug: write, info: write, warn: write, error: write };
    const { notetaker } = clientOf(answer, { logger, maxRetries: 0, ...options });
    const { url } = samples.webhook;
    return { call: notetaker.webhooks.create({ url, events: ["meeting.transcript_ready"] }), records };
  };
  const whole = JSON.stringify(samples.createdWebhook);

  it.each<[string, string]>([
    ["the id is missing", JSON.stringify({ ...samples.createdWebhook, id: undefined })],
    ["the secret is not a string", JSON.stringify({ ...samples.createdWebhook, secret: [SECRET] })],
    ["the secret is nested", JSON.stringify({ webhook: samples.createdWebhook })],
    ["the secret is an object", JSON.stringify({ secret: { value: SECRET } })],
    ["the secret has another name", JSON.stringify({ id: "whk_1", signing_secret: SECRET, clientSecret: SECRET })],
    ["the body is cut off after the secret", whole.slice(0, -1)],
    ["the body is cut off within the secret", whole.slice(0, whole.indexOf(SECRET) + 10)],
    ["the body is JSON in a JSON string", JSON.stringify(whole)],
    ["the body is JSON in a JSON string, and cut off", JSON.stringify(whole).slice(0, -3)],
    ["the body is almost JSON", `{'id': 'whk_1', 'secret': '${SECRET}'}`],
    ["the body is a form", `id=whk_1&secret=${SECRET}`],
    ["the body is HTML with &quot;", `<pre>${whole.replaceAll('"', "&quot;")}</pre>`],
    ["the body is HTML with &#34;", `<pre>${whole.replaceAll('"', "&#34;")}</pre>`],
    ["the body is HTML with &#x22;, and cut off", whole.replaceAll('"', "&#x22;").slice(0, whole.indexOf(SECRET) + 60)],
    ["the body is XML", `<webhook><secret>${SECRET}</secret></webhook>`],
    ["the body shows a variable", `WEBHOOK_SECRET=${SECRET}`],
    ["the body is percent-encoded JSON", encodeURIComponent(whole)],
    ["the body is percent-encoded JSON, and cut off", encodeURIComponent(whole).split(SECRET)[0] + SECRET.slice(0, 12)],
    ["the body is an HTML page", `<pre>secret: ${SECRET}</pre>`],
  ])("does not appear in an error if %s", async (_, body) => {
    for (const status of [201, 400, 500]) {
      const { call, records } = create(() => new Response(body, { status }));
      const error = await rejection(call);
      expectHidden(error, SECRET.slice(0, 10));
      expectHidden(records, SECRET.slice(0, 10));
    }
  });

  it("is returned to the caller, and appears in no log record", async () => {
    const { call, records } = create(() => json(samples.createdWebhook, 201));
    expect((await call).secret).toBe(SECRET);
    expectHidden(records, SECRET);
    expect(records).toHaveLength(1);
  });

  it('appears in no log record if validation is "warn"', async () => {
    const { call, records } = create(() => json({ ...samples.createdWebhook, id: 5 }, 201), { validation: "warn" });
    await call;
    expect(records).toHaveLength(2);
    expectHidden(records, SECRET);
  });
});

describe("a recording link", () => {
  it.each([
    JSON.stringify({ recording_url: LINK }),
    JSON.stringify({ meeting_id: "mtg_1", recording_url: LINK }).slice(0, -3),
    JSON.stringify({ meeting_id: "mtg_1", recording_url: [LINK] }),
    escapedJson({ recording_url: LINK }),
    `Recording_URL = ${LINK}`,
  ])("does not appear in an error: %s", async (body) => {
    const { notetaker } = clientOf(() => new Response(body));
    const error = await rejection(notetaker.meetings.getRecording("mtg_1"));
    expect(error).toMatchObject({ name: "ResponseValidationError" });
    expectHidden(error, "s3cr3t");
  });
});

describe("a secret in the caller's own query", () => {
  const query = { access_token: "at_1 2/3", apiKey: "k_9", signature: "s&g", limit: 5, author: "Ada" };
  const shownUrl = `${BASE_URL}/rooms?access_token=[redacted]&apiKey=[redacted]&signature=[redacted]&limit=5&author=Ada`;

  it("is sent, but does not appear in the URL of an error", async () => {
    const { notetaker, seen } = clientOf(() => json({}, 400), { token: TOKEN });
    const error = await rejection(notetaker.request("GET", "/rooms", { query }));
    expect(seen[0]?.query).toContainEqual(["access_token", "at_1 2/3"]);
    expect(error).toMatchObject({ name: "BadRequestError", request: { method: "GET", url: shownUrl } });
    expectHidden(error, "at_1", "k_9", "s%26g");
  });

  it("does not appear in the error of a fetch that repeats the URL", async () => {
    const fetch = async (url: string) => {
      throw new Error(`request to ${url} failed, reason: socket hang up`);
    };
    const notetaker = new Notetaker({ baseUrl: BASE_URL, token: TOKEN, fetch, maxRetries: 0 });
    const error = await rejection(notetaker.rooms.list({}, { query }));
    expect(String(error)).toContain("socket hang up");
    expect(error).toMatchObject({ name: "ConnectionError", request: { url: shownUrl } });
    expectHidden(error, "at_1", "k_9", "s%26g");
  });
});
