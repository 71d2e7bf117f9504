import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reconnectDelay } from "../../../src/webhooks/subscribe/reconnect-delay.js";

describe("the wait before the next connection", () => {
  it("is the server's own time after one that worked, and doubles up to half a minute for those that do not", () => {
    expect([0, 1, 2, 3, 4, 5, 6, 99].map((failures) => reconnectDelay(failures, 1000, 0))).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
    ]);
  });

  it("is never less than the server asked for, never more than half as long again, and one that a timer can do", () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (failures, retryMs, random) => {
        const delay = reconnectDelay(failures, retryMs, random);
        expect(delay).toBeGreaterThanOrEqual(Math.min(retryMs, 2_147_483_647));
        expect(delay).toBeLessThanOrEqual(Math.max(retryMs, 30_000) * 1.5);
        expect(delay).toBeLessThanOrEqual(2_147_483_647);
      }),
    );
  });

  it("is not nothing for a server that asks for nothing and brings nothing", () => {
    expect(reconnectDelay(0, 0, 0)).toBe(0);
    expect(reconnectDelay(1, 0, 0)).toBe(200);
  });

  it("differs between readers", () => {
    expect(new Set([0, 0.25, 0.5, 1].map((random) => reconnectDelay(0, 1000, random))).size).toBe(4);
  });
});
