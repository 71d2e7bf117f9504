/** Which meetings are gone, and what prune removes: rules 9 and 13. */
import type { MeetingChange } from "notetaker-sdk";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DAY, simulatedTime } from "./support/simulated-time.js";
import { isByIds, isList, json, type SmallService, smallAccount } from "./support/small-service.js";

beforeEach(() => simulatedTime());

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("a meeting that is gone", () => {
  const removed = async (change: (service: SmallService) => void) => {
    const { service, store, sync } = smallAccount("mtg_1", "mtg_2", "mtg_3", "mtg_4");
    await sync();
    change(service);
    later(DAY);
    const changes: MeetingChange[] = [];
    await sync({ onChange: (one) => void changes.push(one) });
    const isGone = () => [...store.meetings].filter(([, { isGone }]) => isGone).map(([id]) => id);
    return { service, sync, store, changes, isGone };
  };

  it("is one that neither the list nor its id shows, and it comes back", async () => {
    let row: unknown;
    const { service, sync, changes, isGone } = await removed((service) => {
      row = service.row("mtg_2");
      service.remove("mtg_2");
    });
    expect(isGone()).toEqual(["mtg_2"]);
    // Without `prune`, it is asked for no more.
    service.take();
    later(DAY);
    await sync();
    expect(service.take().filter((path) => path.includes("mtg_2"))).toEqual([]);
    expect(changes).toMatchObject([{ id: "mtg_2", meeting: undefined, changed: ["gone"], isNew: false }]);
    service.rows.push(row);
    const back: MeetingChange[] = [];
    await sync({ onChange: (one) => void back.push(one) });
    expect(isGone()).toEqual([]);
    expect(back[0]).toMatchObject({ id: "mtg_2", isNew: false });
    expect(back[0]?.changed).toContain("gone");
  });

  const lacksByIds = (lacking: string) => (service: SmallService) => {
    service.remove("mtg_2");
    service.answer = (sent) => {
      if (!isByIds(sent)) return undefined;
      const ids = sent.query.getAll("id").filter((id) => id !== lacking);
      const data = service.rows.filter((row) => ids.includes((row as { id: string }).id));
      return json(200, { data, next_cursor: null, has_more: false });
    };
  };

  it.each<[string, (service: SmallService) => void]>([
    ["an answer by ids lacks the one of two meetings that the list shows", lacksByIds("mtg_3")],
    ["an answer by ids lacks the other of them", lacksByIds("mtg_4")],
    [
      "the list leaves it out, and its id returns it",
      (service) => {
        const hidden = service.row("mtg_2");
        service.answer = (sent) => {
          if (!isList(sent)) return undefined;
          return json(200, { data: service.rows.filter((row) => row !== hidden), next_cursor: null, has_more: false });
        };
      },
    ],
    [
      "the service returns nothing by ids",
      (service) => {
        service.remove("mtg_2");
        service.answer = (sent) =>
          isByIds(sent) ? json(200, { data: [], next_cursor: null, has_more: false }) : undefined;
      },
    ],
    [
      "the service ignores the filter for ids",
      (service) => {
        service.remove("mtg_2");
        service.answer = (sent) => (isByIds(sent) ? json(200, { data: service.rows, has_more: false }) : undefined);
      },
    ],
    [
      "an answer by ids has an odd row",
      (service) => {
        service.remove("mtg_2");
        service.answer = (sent) => {
          if (!isByIds(sent)) return undefined;
          const ids = sent.query.getAll("id");
          const data = service.rows.filter((row) => ids.includes((row as { id: string }).id));
          return json(200, { data: [...data, null], has_more: false });
        };
      },
    ],
    [
      "the list is empty",
      (service) => {
        service.rows = [];
      },
    ],
  ])("is none if %s", async (_, change) => {
    expect((await removed(change)).isGone()).toEqual([]);
  });

  it("is none if since leaves it out", async () => {
    const { service, store, sync } = smallAccount("mtg_1");
    service.add("mtg_old", {}, 60 * 24 * 100);
    await sync();
    service.remove("mtg_old");
    await sync({ since: new Date(Date.now() - DAY) });
    expect(store.meetings.get("mtg_old")?.isGone).toBe(false);
  });
});

describe("prune", () => {
  const withGone = async (count: number, prune: boolean | "all", total = 30) => {
    const ids = Array.from({ length: total }, (_, index) => `mtg_${index}`);
    const account = smallAccount(...ids);
    await account.sync({ requestsPerMinute: 100_000 });
    for (const id of ids.slice(0, count)) account.service.remove(id);
    later(DAY);
    const { write } = account.store;
    const batches: number[] = [];
    account.store.write = async (batch, lock) => {
      if (batch.removed.length > 0) batches.push(batch.removed.length);
      return write(batch, lock);
    };
    account.service.take();
    const result = await account.sync({ prune });
    const asked = account.service.sent.filter(isByIds).map(({ query }) => query.getAll("id").length);
    return { ...account, result, batches, asked };
  };

  it("removes what is gone", async () => {
    const { store, result } = await withGone(9, true);
    expect(result).toMatchObject({ removed: 9 });
    expect(result.notRemoved).toBeUndefined();
    expect(store.meetings.size).toBe(21);
  });

  it("removes a tenth at once", async () => {
    const { result } = await withGone(10, true, 100);
    expect(result).toMatchObject({ removed: 10 });
  });

  it("asks for at most 48 ids at once, two of them known to be there, and removes the others at once", async () => {
    const { result, asked, batches } = await withGone(120, "all", 140);
    expect(result).toMatchObject({ removed: 120 });
    expect(asked).toEqual([48, 48, 30]);
    expect(batches).toEqual([46, 46, 28]);
  });

  it('removes nothing if more than a tenth would go at once, and at least ten; "all" does', async () => {
    const { store, sync, result } = await withGone(10, true);
    expect(result).toMatchObject({ removed: 0, notRemoved: expect.stringContaining("10 of 30 meetings") });
    expect([...store.meetings.values()].filter(({ isGone }) => isGone)).toHaveLength(10);
    expect(await sync({ prune: "all" })).toMatchObject({ removed: 10 });
    expect(store.meetings.size).toBe(20);
  });

  it("removes nothing if the list has shown none of the store's meetings, as with a token of another account", async () => {
    const { service, store, sync } = smallAccount("mtg_1", "mtg_2");
    await sync();
    service.rows = [];
    service.add("mtg_other");
    later(DAY / 2);
    // A poll has stored a meeting of the other account before the next pass.
    await sync({ prune: true });
    for (let days = 0; days < 3; days += 1) {
      later(DAY);
      const { removed, notRemoved } = await sync({ prune: true });
      if (days === 0) expect(notRemoved).toContain("none of the");
      expect([days, removed, store.meetings.size]).toEqual([days, 0, 3]);
    }
    service.rows = [];
    service.add("mtg_1");
    later(DAY);
    expect(await sync({ prune: true })).toMatchObject({ removed: 2 });
    expect([...store.meetings.keys()]).toEqual(["mtg_1"]);
  });

  it.each([true, "all"] as const)("removes nothing if the list is empty, and says so: %s", async (prune) => {
    const { store, result } = await withGone(30, prune);
    expect(result).toMatchObject({ removed: 0, notRemoved: expect.stringContaining("none of the meetings") });
    expect([...store.meetings.values()].filter(({ isGone }) => isGone)).toEqual([]);
    expect(store.meetings.size).toBe(30);
  });

  it("removes what an earlier run has marked", async () => {
    const { sync, store } = await withGone(3, false);
    expect(store.meetings.size).toBe(30);
    expect(await sync({ prune: true })).toMatchObject({ removed: 3 });
  });
});
