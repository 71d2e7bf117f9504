/** What an error ends, and a clock that is set: rules 10 and 11. */
import { InvalidArgumentError, syncMeetings } from "notetaker-sdk";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { rejection } from "../support/recorder.js";
import { ended, HOUR, MINUTE, simulatedTime } from "./support/simulated-time.js";
import { refusal, smallAccount } from "./support/small-service.js";

beforeEach(() => simulatedTime());

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
const OVER = new Error("over");

describe("an error", () => {
  it("of one meeting stays with it", async () => {
    const { service, store, sync, textOf } = smallAccount("mtg_1", "mtg_2");
    service.answer = ({ path }) => (path.includes("/mtg_1/") ? new TypeError("fetch failed") : undefined);
    const { missing } = await sync();
    expect(missing).toMatchObject([{ meeting_id: "mtg_1", what: "transcript", reason: "failed", retryable: true }]);
    expect(textOf("mtg_2")).toBe("said in mtg_2");
    expect(store.meetings.get("mtg_1")?.documents).toHaveLength(1);
  });

  it("of the store that refuses one meeting is that meeting's, with the store's message", async () => {
    const { service, store, sync } = smallAccount("mtg_1", "mtg_2");
    const { write } = store;
    store.write = async (batch, lock) => {
      if (batch.items.some(({ id }) => id === "mtg_1")) throw new Error("no such character");
      return write(batch, lock);
    };
    const { missing } = await sync();
    expect([...store.meetings.keys()]).toEqual(["mtg_2"]);
    expect(missing).toMatchObject([{ meeting_id: "mtg_1", what: "meeting", reason: "invalid", retryable: true }]);
    expect(missing[0]?.message).toContain("no such character");
    service.take();
  });

  it.each([
    [Object.create(null), "object"],
    [Symbol("odd"), "Symbol(odd)"],
    [undefined, "undefined"],
  ])("of which no text can be made is reported all the same: %o", async (thrown, message) => {
    const { store, sync } = smallAccount("mtg_1", "mtg_2");
    const { write } = store;
    store.write = async (batch, lock) => {
      if (batch.items.some(({ id }) => id === "mtg_1")) throw thrown;
      return write(batch, lock);
    };
    const { missing } = await sync();
    const refusal = { reason: "invalid", message: `the store has refused it: ${message}` };
    expect(missing).toMatchObject([{ meeting_id: "mtg_1", what: "meeting", ...refusal }]);
  });

  it("of the store that takes nothing at all ends the run, and nothing more is requested", async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `mtg_${index}`);
    const { service, store, sync } = smallAccount(...ids);
    store.write = async () => {
      throw OVER;
    };
    await expect(sync({ concurrency: 1 })).rejects.toBe(OVER);
    expect(service.take().filter((path) => path.endsWith("/transcript"))).toEqual(["/meetings/mtg_0/transcript"]);
  });

  it.each([
    ["nothing", () => undefined],
    ["an object", () => new Set()],
    ["a string", () => "mtg_1"],
    ["other values in the list", () => [{ id: "mtg_1" }]],
  ])("of a store whose write resolves to no list of ids ends the run, and is named: %s", async (received, resolved) => {
    const { store, sync } = smallAccount("mtg_1", "mtg_2");
    store.write = async () => resolved() as never;
    const error = await rejection(sync());
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(String(error)).toContain(
      `into.write: expected it to resolve to the list of the ids that were not written, received ${received}`,
    );
  });

  it("of the store that cannot mark one meeting as gone is that meeting's", async () => {
    const { service, store, sync } = smallAccount("mtg_1", "mtg_2");
    await sync();
    service.remove("mtg_1");
    const { write } = store;
    store.write = async (batch, lock) => {
      if (batch.items.some(({ id }) => id === "mtg_1")) throw new Error("no such character");
      return write(batch, lock);
    };
    later(25 * HOUR);
    const { missing } = await sync();
    expect(missing).toMatchObject([{ meeting_id: "mtg_1", what: "meeting", reason: "invalid", retryable: true }]);
    expect(missing[0]?.message).toContain("no such character");
  });

  it("of the service ends a run that catches up after ten minutes without a success, and no earlier", async () => {
    const { service, sync } = smallAccount("mtg_1");
    const began = Date.now();
    service.answer = () => refusal(503);
    await expect(sync()).rejects.toMatchObject({ status: 503 });
    expect(Date.now() - began).toBeGreaterThan(8 * MINUTE);
    expect(Date.now() - began).toBeLessThanOrEqual(11 * MINUTE);
  });

  it.each([401, 403, 404])("%i of the list ends also a run that follows", async (status) => {
    const { service, store } = smallAccount("mtg_1");
    service.answer = () => refusal(status);
    const running = syncMeetings(service.notetaker, { into: store, follow: true });
    await expect(ended(running)).rejects.toMatchObject({ status });
  });
});

describe("the clock", () => {
  it.each([-5 * HOUR, 5 * HOUR])(
    "may be set by %i ms: what is missing is still requested, and nothing given up",
    async (ms) => {
      const { service, store, sync, textOf } = smallAccount("mtg_1");
      service.transcripts.delete("mtg_1");
      for (let run = 0; run < 5; run += 1) {
        await sync();
        later(10 * MINUTE);
      }
      later(ms);
      await sync();
      expect(store.meetings.get("mtg_1")?.missing[0]?.retryable).toBe(true);
      service.transcripts.set("mtg_1", "late");
      later(61 * MINUTE);
      await sync();
      expect(textOf("mtg_1")).toBe("late");
    },
  );

  it("reads a time without an offset as UTC", async () => {
    const { service, store } = smallAccount();
    const text = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 19);
    service.add("mtg_in", { start_time: text(-59 * MINUTE) });
    service.add("mtg_out", { start_time: text(-61 * MINUTE) });
    const zone = process.env.TZ;
    process.env.TZ = "Asia/Tokyo";
    try {
      await ended(syncMeetings(service.notetaker, { into: store, since: new Date(Date.now() - HOUR) }));
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
    expect([...store.meetings.keys()]).toEqual(["mtg_in"]);
  });
});
