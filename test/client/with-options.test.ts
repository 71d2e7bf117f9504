/** `withOptions`: a client with changed options. */
import { ConfigurationError, Notetaker } from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { BASE_URL, clientOf, json, recorder, refusal, rejection, TOKEN } from "../support/recorder.js";

describe("withOptions", () => {
  it("keeps the client's own value of an option that is undefined, whatever the environment holds", async () => {
    const { notetaker, seen } = clientOf(() => json([]));
    vi.stubEnv("NOTETAKER_TOKEN", "tok_operator");
    vi.stubEnv("NOTETAKER_BASE_URL", "https://operator.example.com/v1");
    const same = notetaker.withOptions({ token: undefined, baseUrl: undefined, fetch: undefined, headers: undefined });
    await same.webhooks.list();
    expect(seen[0]?.request.url).toBe(`${BASE_URL}/webhooks`);
    expect(seen[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it("keeps the account of the client, also if the environment or the client's options have changed since", async () => {
    vi.stubEnv("NOTETAKER_TOKEN", TOKEN);
    vi.stubEnv("NOTETAKER_BASE_URL", BASE_URL);
    const { fetch, seen } = recorder(() => json([]));
    const options = { fetch, headers: { a: "1" } };
    const notetaker = new Notetaker(options);
    vi.stubEnv("NOTETAKER_TOKEN", "tok_of_another_account");
    vi.stubEnv("NOTETAKER_BASE_URL", undefined);
    options.headers = { a: "2" };
    await notetaker.withOptions({ maxRetries: 0 }).webhooks.list();
    expect(seen[0]?.request.url).toBe(`${BASE_URL}/webhooks`);
    expect(seen[0]?.headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, a: "1" });
  });

  it.each([[null], [5], [undefined]])("refuses %s", (options) => {
    const { notetaker } = clientOf(() => json([]));
    expect(() => notetaker.withOptions(options as never)).toThrow(ConfigurationError);
  });

  it("returns a client with changed options, and does not change the original client", async () => {
    const { notetaker, seen } = clientOf(() => refusal(503, "unavailable"), {
      maxRetryDelayMs: 0,
      headers: { a: "1" },
    });
    await rejection(notetaker.withOptions({ maxRetries: 0 }).webhooks.list());
    expect(seen).toHaveLength(1);
    expect(seen[0]?.headers.a).toBe("1");
    await rejection(notetaker.webhooks.list());
    expect(seen).toHaveLength(4);
  });
});
