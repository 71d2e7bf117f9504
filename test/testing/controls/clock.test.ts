import { aMeeting, createEmulator, EmulatorError } from "notetaker-sdk/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { clientOf, emulatorClient, listed, sendBot } from "../emulator-client.js";

afterEach(() => void vi.useRealTimers());

describe("the emulator's clock", () => {
  test("stands still until it is advanced", async () => {
    const { service, ask } = emulatorClient({ now: "2030-01-01T00:00:00Z" });
    expect(service.clock.now()).toBe(Date.UTC(2030, 0, 1));
    await service.clock.advance(61_000);
    expect(service.clock.now()).toBe(Date.UTC(2030, 0, 1) + 61_000);
    const { body } = await ask("PUT", "/meetings/upload", new Uint8Array(1));
    expect(await listed(ask, body.id)).toMatchObject({ created_at: "2030-01-01T00:01:01.000Z" });
  });

  test.each([[new Date(5_000)], [5_000], ["1970-01-01T00:00:05Z"]])("starts at %s", (now) => {
    expect(createEmulator({ now, seed: {} }).clock.now()).toBe(5_000);
  });

  test.each([[-1], [Number.NaN], ["5"], [undefined], [8.64e15]])("refuses to advance by %j", async (ms) => {
    const { service, ask } = emulatorClient();
    expect(() => service.clock.advance(ms as number)).toThrow(EmulatorError);
    expect(await sendBot(ask)).toMatch(/^mtg_/);
  });

  test("performs the steps of a seed by itself, also after a reset, if it follows a given clock", async () => {
    vi.useFakeTimers();
    const service = createEmulator({
      now: Date.now,
      seed: { meetings: [aMeeting({ id: "mtg_1", status: "processing" })] },
    });
    const status = () => service.meetings.get("mtg_1")?.status;
    for (let run = 0; run < 2; run++) {
      expect(status()).toBe("processing");
      vi.advanceTimersByTime(60_000);
      expect(status()).toBe("completed");
      service.reset();
    }
  });

  test("follows a given clock, and performs due steps by itself", async () => {
    vi.useFakeTimers({ now: Date.UTC(2030, 0, 1) });
    const service = createEmulator({ now: Date.now, seed: {} });
    const ask = clientOf(service);
    const id = await sendBot(ask);
    vi.advanceTimersByTime(30_000);
    expect(service.clock.now()).toBe(Date.UTC(2030, 0, 1) + 30_000);
    expect(service.meetings.get(id)).toMatchObject({ status: "scheduled" });
    // Advancing adds to the given clock.
    service.clock.advance(40_000);
    expect(service.meetings.get(id)).toMatchObject({ status: "processing" });
    vi.advanceTimersByTime(20_000);
    expect(service.meetings.get(id)).toMatchObject({ status: "completed" });
  });

  test("performs due steps before it responds, even if its timer is late", async () => {
    let now = Date.UTC(2030, 0, 1);
    const service = createEmulator({ now: () => now, seed: {} });
    const ask = clientOf(service);
    const id = await sendBot(ask);
    now += 3_600_000;
    expect(await listed(ask, id)).toMatchObject({ status: "completed" });
    service.reset();
  });

  test("sets no timer any more after a reset, because no step is due", async () => {
    vi.useFakeTimers({ now: Date.UTC(2030, 0, 1) });
    const service = createEmulator({ now: Date.now, seed: {} });
    await sendBot(clientOf(service));
    expect(vi.getTimerCount()).toBe(1);
    service.reset();
    expect(vi.getTimerCount()).toBe(0);
  });
});
