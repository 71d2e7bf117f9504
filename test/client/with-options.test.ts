/** `withOptions`: a client with changed options. */
import { ConfigurationError } from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { BASE_URL, clientOf, json, refusal, rejection, TOKEN } from "../support/recorder.js";

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
