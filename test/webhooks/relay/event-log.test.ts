import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { memoryEventLog } from "../../../src/webhooks/relay/event-log.js";
import { eventOf } from "../events.js";

/** A log with the events from 1 to `count`, and their ids. */
function logOf(count: number, maxEvents?: number) {
  const log = memoryEventLog({ maxEvents });
  const before = log.latestId() as string;
  const ids = Array.from({ length: count }, (_, index) => log.append(eventOf(index + 1), undefined) as string);
  return { log, before, ids };
}

it("after() returns the entries after an id, in order, and at most the limit", async () => {
  const { log, before, ids } = logOf(4);
  const entries = ids.map((id, index) => ({ id, event: eventOf(index + 1), audience: undefined }));
  expect(await log.after(before, 10)).toEqual(entries);
  expect(await log.after(ids[1]!, 1)).toEqual([entries[2]]);
  expect(await log.after(ids[3]!, 10)).toEqual([]);
  for (const [index, id] of ids.entries()) expect(id).toMatch(new RegExp(`^[0-9a-f]{8}-${index + 1}$`));
  expect(await log.latestId()).toBe(ids[3]);
});

it("after() returns undefined for an id that was dropped, never returned, or returned by another process", async () => {
  const { log, before, ids } = logOf(4, 2);
  const [epoch] = ids[0]!.split("-");
  for (const id of [before, ids[0]!, `${epoch}-5`, `${epoch}-`, `${epoch}-01`, `${epoch}-3.0`, "", "3", "nonsense"])
    expect(await log.after(id, 10), id).toBeUndefined();
  expect((await log.after(ids[1]!, 10))?.map(({ id }) => id)).toEqual([ids[2], ids[3]]);
  expect(await logOf(4).log.after(ids[3]!, 10)).toBeUndefined();
});

it("the log never skips an entry, however small the log is and however far behind the reader is", () => {
  const small = fc.integer({ min: 1, max: 9 });
  fc.assert(
    fc.property(small, fc.nat(30), fc.nat(30), small, (size, before, after, limit) => {
      const { log } = logOf(before, size);
      const position = log.latestId() as string;
      const ids = Array.from({ length: after }, (_, index) => log.append(eventOf(index), undefined));
      const found = log.after(position, limit) as { id: string }[] | undefined;
      expect(found?.map(({ id }) => id)).toEqual(after > size ? undefined : ids.slice(0, limit));
    }),
  );
});

it("a listener is called at each append until it stops listening", async () => {
  const { log } = logOf(0);
  const changed = vi.fn();
  const stop = await log.listen(changed, () => {});
  for (const number of [1, 2]) log.append(eventOf(number), undefined);
  stop();
  log.append(eventOf(3), undefined);
  expect(changed).toHaveBeenCalledTimes(2);
});
