import { aMeeting, createEmulator, EmulatorError } from "notetaker-sdk/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { clientOf, emulatorClient, listed, sendBot } from "../emulator-client.js";

const start = Date.UTC(2030, 0, 1);
afterEach(() => void vi.useRealTimers());

describe("the emulator's clock", () => {
  test.each([[new Date(start)], [start], ["2030-01-01T00:00:00Z"]])("starts at %s, and stands still", async (now) => {
    const emulator = emulatorClient({ now });
    const { clock } = emulator.service;
    expect(clock.now()).toBe(start);
    await clock.advance(61_000);
    expect(clock.now()).toBe(start + 61_000);
    const { body } = await emulator.ask("PUT", "/meetings/upload", new Uint8Array(1));
    expect(await listed(emulator, body.id)).toMatchObject({ created_at: "2030-01-01T00:01:01.000Z" });
  });

  test.each([[-1], [Number.NaN], ["5"], [undefined], [8.64e15]])("refuses to advance by %j", async (ms) => {
    const emulator = emulatorClient();
    expect(() => emulator.service.clock.advance(ms as number)).toThrow(EmulatorError);
    expect(await sendBot(emulator)).toMatch(/^mtg_/);
  });

  test("follows a given clock, and takes due steps by itself, also those of a seed after a reset", async () => {
    vi.useFakeTimers({ now: start });
    const seed = { meetings: [aMeeting({ id: "mtg_1", status: "processing" })] };
    const service = createEmulator({ now: Date.now, seed });
    const status = (id: string) => service.meetings.get(id)?.status;
    expect(status("mtg_1")).toBe("processing");
    const id = await sendBot(clientOf(service));
    vi.advanceTimersByTime(30_000);
    expect(service.clock.now()).toBe(start + 30_000);
    expect([status("mtg_1"), status(id)]).toEqual(["completed", "scheduled"]);
    // Advancing adds to the given clock.
    service.clock.advance(40_000);
    expect(status(id)).toBe("processing");
    vi.advanceTimersByTime(20_000);
    expect(status(id)).toBe("completed");
    service.reset();
    expect(status("mtg_1")).toBe("processing");
    vi.advanceTimersByTime(60_000);
    expect(status("mtg_1")).toBe("completed");
  });

  test("takes due steps before it responds, even if its timer is late", async () => {
    let now = start;
    const emulator = emulatorClient({ now: () => now, seed: {} });
    const id = await sendBot(emulator);
    now += 3_600_000;
    expect(await listed(emulator, id)).toMatchObject({ status: "completed" });
    emulator.service.reset();
  });

  test("takes steps of the same time in the order in which they were scheduled", async () => {
    const emulator = emulatorClient({ seed: {} });
    const ids = [await sendBot(emulator), await sendBot(emulator, "https://meet.google.com/abc-defg-hij")];
    await emulator.service.clock.advance(2_000);
    expect(emulator.service.meetings.list().map(({ id }) => id)).toEqual(ids);
  });

  test("sets no timer any more after a reset, because no step is due", async () => {
    vi.useFakeTimers({ now: start });
    const emulator = emulatorClient({ now: Date.now, seed: {} });
    await sendBot(emulator);
    expect(vi.getTimerCount()).toBe(1);
    emulator.service.reset();
    expect(vi.getTimerCount()).toBe(0);
  });
});
