import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { ReconnectPolicy, reconnectDelay } from "../../../src/webhooks/subscribe/reconnect-delay.js";

describe("the pause before a reconnection", () => {
  it("the pause is the server's retry time, and doubles with each failure in a row up to half a minute", () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 99].map((failures) => reconnectDelay(failures, 1000, 0))).toEqual([
      1000, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
    ]);
  });

  it("the pause is at least the retry time, at most 1.5 times the retry time or 45 s, and never too long for a timer", () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (failures, retryMs, random) => {
        const delay = reconnectDelay(failures, retryMs, random);
        expect(delay).toBeGreaterThanOrEqual(Math.min(retryMs, 2_147_483_647));
        expect(delay).toBeLessThanOrEqual(Math.max(retryMs, 30_000) * 1.5);
        expect(delay).toBeLessThanOrEqual(2_147_483_647);
      }),
    );
  });

  it("the pause is at least 250 ms even if the server sends retry: 0", () => {
    expect(reconnectDelay(0, 0, 0)).toBe(250);
    expect(reconnectDelay(5, 0, 0)).toBe(4_000);
  });

  it("the pause is random, so that readers do not reconnect at the same time", () => {
    expect([0, 0.25, 0.5, 1].map((random) => reconnectDelay(0, 1000, random))).toEqual([1000, 1125, 1250, 1500]);
  });

  it("only a short connection without an event counts as failed", () => {
    const policy = new ReconnectPolicy();
    vi.spyOn(Math, "random").mockReturnValue(0);
    const short = { durationMs: 10, receivedEvent: false };
    expect([short, short, short].map((end) => policy.delayAfter(end))).toEqual([1000, 2000, 4000]);
    expect(policy.delayAfter({ durationMs: 1_000, receivedEvent: false })).toBe(1000);
    expect([short, short].map((end) => policy.delayAfter(end))).toEqual([1000, 2000]);
    expect(policy.delayAfter({ durationMs: 10, receivedEvent: true })).toBe(1000);
    vi.mocked(Math.random).mockRestore();
  });
});
