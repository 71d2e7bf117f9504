import { ConfigurationError, InvalidArgumentError, Notetaker, type SecretStore, type Webhook } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, it, vi } from "vitest";
import { clientOf, json, refusal, rejectionOf } from "../support/recorder.js";
import * as samples from "../support/samples.js";

const URL = "https://example.com/hooks/notetaker";
const EVENTS = ["meeting.transcript_ready"] as const;

function setUp() {
  const service = createEmulator({ seed: {} });
  const notetaker = new Notetaker({ ...service.clientOptions, maxRetries: 0 });
  const secrets = new Map<string, string>();
  const secretStore: SecretStore = {
    get: ({ id }) => secrets.get(id),
    set: async ({ id }, secret) => secrets.set(id, secret),
  };
  const asked = () => service.requests.map(({ method }) => method);
  const ensure = (fields: object = {}, client = notetaker) =>
    client.webhooks.ensure({ url: URL, events: EVENTS, secretStore, ...fields });
  return { service, notetaker, secrets, secretStore, asked, ensure };
}

describe("webhooks.ensure", () => {
  it("creates the subscription once, and stores the secret that the service shows only once", async () => {
    const { service, secrets, asked, ensure } = setUp();
    const first = await ensure();
    const second = await ensure();
    expect(asked()).toEqual(["GET", "POST", "GET"]);
    expect(second).toEqual(first);
    expect(first.webhook).toMatchObject({ url: URL, events: EVENTS });
    expect(first.webhook).not.toHaveProperty("secret");
    expect(service.webhooks.list()).toMatchObject([{ id: first.webhook.id, secret: first.secret }]);
    expect([...secrets]).toEqual([[first.webhook.id, first.secret]]);
  });

  it("changes the events if they differ, and ignores their order", async () => {
    const { service, asked, ensure } = setUp();
    const both = ["meeting.transcript_ready", "meeting.initial_summary_ready"] as const;
    const { webhook, secret } = await ensure();
    for (const events of [both, both.toReversed(), [...both, both[0]], both.slice(1)]) {
      const ensured = await ensure({ events });
      expect(ensured).toMatchObject({ secret, webhook: { id: webhook.id } });
      expect(new Set(ensured.webhook.events)).toEqual(new Set(events));
    }
    expect(asked()).toEqual(["GET", "POST", "GET", "PATCH", "GET", "GET", "GET", "PATCH"]);
    expect(service.webhooks.list()).toHaveLength(1);
  });

  it("never creates a second subscription for a URL, however the URL is written and however many calls run at once", async () => {
    const { service, notetaker, secretStore, ensure } = setUp();
    const ensured = await Promise.all(
      [URL, "https://EXAMPLE.com:443/hooks/./notetaker", URL].map((url) =>
        notetaker.webhooks.ensure({ url, events: EVENTS, secretStore }),
      ),
    );
    expect(new Set(ensured.map(({ webhook }) => webhook.id)).size).toBe(1);
    await ensure({ url: `${URL}/other` });
    expect(service.webhooks.list()).toHaveLength(2);
  });

  it("rejects if the secret of the subscription is lost, names the option that helps, and has the id as a field", async () => {
    const { service, secrets, ensure } = setUp();
    const { webhook } = await ensure();
    secrets.clear();
    const error = await rejectionOf(ConfigurationError, ensure());
    expect(error.message).toContain(`does not have the secret of ${webhook.id}: put it there, or set recreate: true`);
    expect(error.webhookId).toBe(webhook.id);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ webhookId: webhook.id });
    expect(service.webhooks.list()).toHaveLength(1);
  });

  it("uses the subscription with the stored secret if there are several", async () => {
    const { service, notetaker, secrets, ensure } = setUp();
    await notetaker.webhooks.create({ url: URL, events: EVENTS });
    const { id, secret } = await notetaker.webhooks.create({ url: URL, events: EVENTS });
    secrets.set(id, secret);
    expect(await ensure()).toMatchObject({ secret });
    expect(service.webhooks.list()).toHaveLength(2);
  });

  it("with recreate, deletes the others of its URL alone, and changes the events of the one with the stored secret", async () => {
    const { service, notetaker, secrets, asked, ensure } = setUp();
    const elsewhere = await notetaker.webhooks.create({ url: `${URL}/other`, events: EVENTS });
    await notetaker.webhooks.create({ url: URL, events: EVENTS });
    const { id, secret } = await notetaker.webhooks.create({ url: URL, events: ["meeting.initial_summary_ready"] });
    await notetaker.webhooks.create({ url: URL, events: EVENTS });
    secrets.set(id, secret);
    expect(await ensure({ recreate: true })).toMatchObject({ secret, webhook: { id, events: EVENTS } });
    expect(service.webhooks.list().map(({ id }) => id)).toEqual([elsewhere.id, id]);
    const before = asked().length;
    await ensure({ recreate: true });
    expect(asked().slice(before)).toEqual(["GET"]);
  });

  it("with recreate, creates the subscription anew if the store has no secret of its URL", async () => {
    const { service, notetaker, secrets, ensure } = setUp();
    // A program that was killed after it had created the webhook, twice.
    for (const _ of [1, 2]) await notetaker.webhooks.create({ url: URL, events: EVENTS });
    const { webhook, secret } = await ensure({ recreate: true });
    expect(service.webhooks.list()).toMatchObject([{ id: webhook.id, secret }]);
    expect([...secrets]).toEqual([[webhook.id, secret]]);
  });

  it("with recreate, does not trust a store that has the same secret for two webhooks", async () => {
    const { service, notetaker, ensure } = setUp();
    let stored: string | undefined;
    const secretStore = { get: () => stored, set: (_: Webhook, secret: string) => (stored = secret) };
    await notetaker.webhooks.create({ url: URL, events: EVENTS });
    stored = (await notetaker.webhooks.create({ url: URL, events: EVENTS })).secret;
    await expect(ensure({ secretStore })).rejects.toThrow("recreate: true");
    const { secret } = await ensure({ secretStore, recreate: true });
    expect(service.webhooks.list()).toMatchObject([{ url: URL, secret }]);
  });

  it("leaves one webhook, whose secret is stored, wherever it was killed before", async () => {
    const killed = new Error("killed");
    for (let requests = 0; requests < 8; requests += 1) {
      const { service, notetaker, secrets, ensure } = setUp();
      for (const _ of [1, 2]) await notetaker.webhooks.create({ url: URL, events: EVENTS });
      let left = requests;
      const dying = new Notetaker({
        ...service.clientOptions,
        maxRetries: 0,
        fetch: async (url, init) => {
          const response = await service.clientOptions.fetch(url, init);
          left -= 1;
          if (left < 0) throw killed;
          return response;
        },
      });
      await ensure({ recreate: true }, dying).catch(() => {});
      const { webhook, secret } = await ensure({ recreate: true });
      expect(service.webhooks.list()).toMatchObject([{ id: webhook.id, secret }]);
      expect(secrets.get(webhook.id)).toBe(secret);
    }
  });

  it("with recreate, passes over a webhook that was deleted meanwhile, and over no other failure", async () => {
    const ensureAnswered = (status: number) => {
      const { notetaker } = clientOf(({ method }) => {
        if (method === "DELETE") return refusal(status, "x");
        return json(method === "GET" ? [samples.webhook] : samples.createdWebhook);
      });
      const secretStore = { get: () => undefined, set: () => undefined };
      return notetaker.webhooks.ensure({ url: samples.webhook.url, events: EVENTS, secretStore, recreate: true });
    };
    expect(await ensureAnswered(404)).toMatchObject({ secret: samples.createdWebhook.secret });
    await expect(ensureAnswered(403)).rejects.toMatchObject({ status: 403 });
  });

  it("deletes a new subscription whose secret cannot be stored, so that the next call can create one", async () => {
    const { service, secretStore, ensure } = setUp();
    const failure = new Error("vault is sealed");
    const set = vi.fn<(webhook: Webhook, secret: string) => unknown>().mockRejectedValueOnce(failure);
    const failing = { ...secretStore, set };
    await expect(ensure({ secretStore: failing })).rejects.toBe(failure);
    expect(service.webhooks.list()).toEqual([]);
    const { webhook, secret } = await ensure({ secretStore: failing });
    expect(set).toHaveBeenLastCalledWith(webhook, secret);
    expect(webhook).not.toHaveProperty("secret");
  });

  it("checks its parameters before it sends a request", async () => {
    const { notetaker, secretStore, asked } = setUp();
    const right = { url: URL, events: EVENTS, secretStore };
    for (const [path, wrong] of [
      ["url", { ...right, url: "http://example.com/" }],
      ["events", { ...right, events: [] }],
      ["events[0]", { ...right, events: ["meeting.deleted"] }],
      ["secretStore", { ...right, secretStore: {} }],
      ["secretStore", { url: URL, events: EVENTS }],
      ["enabled", { ...right, enabled: true }],
      ["recreate", { ...right, recreate: 1 }],
    ] as const) {
      const error = await notetaker.webhooks.ensure(wrong as never).catch((error) => error);
      expect(error).toBeInstanceOf(InvalidArgumentError);
      expect(error.issues.map((issue: { path: string }) => issue.path)).toEqual([path]);
    }
    expect(asked()).toEqual([]);
  });

  it("ends at once if it is aborted, even while another call runs, and does not delay the next call", async () => {
    const { notetaker, secretStore } = setUp();
    let keep = () => {};
    const held = new Promise<void>((resolve) => {
      keep = resolve;
    });
    const slow = { ...secretStore, get: () => undefined, set: () => held };
    const first = notetaker.webhooks.ensure({ url: URL, events: EVENTS, secretStore: slow });
    const controller = new AbortController();
    const right = { url: `${URL}/2`, events: EVENTS, secretStore };
    const second = notetaker.webhooks.ensure(right, { signal: controller.signal });
    const third = notetaker.webhooks.ensure(right);
    const reason = new Error("the user left");
    controller.abort(reason);
    await expect(second).rejects.toBe(reason);
    keep();
    await first;
    expect((await third).webhook.url).toBe(`${URL}/2`);
  });

  it("waits ten seconds for an earlier call that never settles, and then runs", async () => {
    vi.useFakeTimers();
    const { notetaker } = clientOf(() => json([samples.webhook]));
    const ensure = (get: SecretStore["get"]) =>
      notetaker.webhooks.ensure({ url: samples.webhook.url, events: EVENTS, secretStore: { get, set } });
    const set = () => expect.fail("created");
    // What Workers do with a call whose request has ended.
    void ensure(() => new Promise(() => {}));
    const settled = vi.fn();
    const next = ensure(() => "s3cret").finally(settled);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await next).toEqual({ webhook: samples.webhook, secret: "s3cret" });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("sends its options with each request", async () => {
    const answers = { GET: [], POST: samples.createdWebhook };
    const { notetaker, seen } = clientOf(({ method }) => json(answers[method as "GET"]));
    const secretStore = { get: () => undefined, set: () => undefined };
    await notetaker.webhooks.ensure({ url: URL, events: EVENTS, secretStore }, { headers: { "x-team": "a" } });
    expect(seen.map(({ method, headers }) => [method, headers["x-team"]])).toEqual([
      ["GET", "a"],
      ["POST", "a"],
    ]);
  });

  it("stores the secret, even if the response to the creation has nothing else but the id", async () => {
    const { notetaker } = clientOf(({ method }) => json(method === "GET" ? [] : { id: "whk_7", secret: "s3cret" }));
    const set = vi.fn();
    const params = { url: URL, events: EVENTS, secretStore: { get: () => undefined, set } };
    const ensured = await notetaker.webhooks.ensure(params);
    expect(ensured).toEqual({ webhook: { id: "whk_7", url: URL, events: EVENTS }, secret: "s3cret" });
    expect(set).toHaveBeenCalledWith(ensured.webhook, "s3cret");
    const created = await notetaker.webhooks.create({ url: URL, events: EVENTS });
    expect(created).toEqual({ id: "whk_7", secret: "s3cret" });
  });

  it("runs after a call that failed", async () => {
    const { notetaker } = clientOf((_, index) => (index === 0 ? refusal(404, "x") : json([samples.webhook])));
    const secretStore = { get: () => "s3cret", set: () => undefined };
    const ensure = () => notetaker.webhooks.ensure({ url: samples.webhook.url, events: EVENTS, secretStore });
    const [failed, second] = await Promise.allSettled([ensure(), ensure()]);
    expect([failed?.status, second?.status]).toEqual(["rejected", "fulfilled"]);
  });

  it("finds its subscription among invalid webhooks, even if its own has invalid fields", async () => {
    const own = { id: "whk_1", url: URL, events: "x".repeat(EVENTS.length), enabled: "yes" };
    const rows = [null, { id: 5 }, { id: "whk_9", url: 5 }, own];
    const { notetaker, seen } = clientOf(({ method }) => json(method === "GET" ? rows : samples.webhook));
    const secretStore = { get: () => "s3cret", set: () => undefined };
    const { webhook, secret } = await notetaker.webhooks.ensure({ url: URL, events: EVENTS, secretStore });
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /webhooks", "PATCH /webhooks/whk_1"]);
    expect({ webhook, secret }).toEqual({ webhook: samples.webhook, secret: "s3cret" });
  });
});
