import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryEventLog } from "../../../src/webhooks/relay/event-log.js";
import { eventOf } from "../events.js";

describe("the in-memory event log", () => {
  it("after() returns the entries after an id, in order, and at most the limit", async () => {
    const log = memoryEventLog();
    const before = await log.latestId();
    const ids = [1, 2, 3, 4].map((number) => log.append(eventOf(number), undefined) as string);
    expect(await log.after(before, 10)).toEqual(
      ids.map((id, i) => ({ id, event: eventOf(i + 1), audience: undefined })),
    );
    expect((await log.after(ids[1]!, 1))?.map(({ id }) => id)).toEqual([ids[2]]);
    expect(await log.after(ids[3]!, 10)).toEqual([]);
    for (const [index, id] of ids.entries()) expect(id).toMatch(new RegExp(`^[0-9a-f]{8}-${index + 1}$`));
    expect(await log.latestId()).toBe(ids[3]);
  });

  it("after() returns undefined for an id that was dropped, never returned, or returned by another process", async () => {
    const log = memoryEventLog({ maxEvents: 2 });
    const empty = await log.latestId();
    const ids = [1, 2, 3, 4].map((number) => log.append(eventOf(number), undefined) as string);
    const [epoch] = ids[0]!.split("-");
    for (const id of [empty, ids[0]!, `${epoch}-5`, `${epoch}-`, `${epoch}-01`, `${epoch}-3.0`, "", "3", "nonsense"])
      expect(await log.after(id, 10), id).toBeUndefined();
    expect((await log.after(ids[1]!, 10))?.map(({ id }) => id)).toEqual([ids[2], ids[3]]);
    const restarted = memoryEventLog();
    for (const number of [1, 2, 3, 4]) restarted.append(eventOf(number), undefined);
    expect(await restarted.after(ids[3]!, 10)).toBeUndefined();
  });

  it("the log never skips an entry, however small the log is and however far behind the reader is", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.nat(30),
        fc.nat(30),
        fc.integer({ min: 1, max: 9 }),
        (size, before, after, limit) => {
          const log = memoryEventLog({ maxEvents: size });
          for (let i = 0; i < before; i++) log.append(eventOf(i), undefined);
          const position = log.latestId() as string;
          for (let i = 0; i < after; i++) log.append(eventOf(before + i), undefined);
          const found = log.after(position, limit) as { event: { meetingId: string } }[] | undefined;
          if (after > size) expect(found).toBeUndefined();
          else {
            const expected = Array.from({ length: Math.min(after, limit) }, (_, i) => `mtg_${before + i}`);
            expect(found?.map(({ event }) => event.meetingId)).toEqual(expected);
          }
        },
      ),
    );
  });

  it("a listener is called at each append until it stops listening", async () => {
    const log = memoryEventLog();
    let told = 0;
    const stop = await log.listen(
      () => {
        told += 1;
      },
      () => {},
    );
    log.append(eventOf(1), undefined);
    log.append(eventOf(2), undefined);
    stop();
    log.append(eventOf(3), undefined);
    expect(told).toBe(2);
  });
});
