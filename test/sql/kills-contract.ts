/** Kills between any two statements: of a write, and of an update of the index. */
import type { StoreBatch } from "notetaker-sdk";
import { openArchive } from "notetaker-sdk/sql";
import { describe, expect, test } from "vitest";
import { documentOf, itemOf, meetingOf, transcriptOf } from "../sync/store/store-items.js";
import type { OpenedDatabase } from "./databases.js";
import { talk } from "./search/search-contract.js";
import { readMeeting } from "./visible.js";

export class Killed extends Error {}

interface Killing {
  /** Empties the data. */
  begin(): Promise<void>;
  open(): Promise<OpenedDatabase>;
  /** The same data, in a database that is lost before or after its statement with this number. */
  mortal(last: number, isAfter: boolean): Promise<OpenedDatabase & { isAlive(): boolean }>;
}

const documents = [documentOf("doc_1"), documentOf("doc_2")];

/** What is stored before. */
const KILLED_START: StoreBatch = {
  state: "old",
  items: [
    itemOf("mtg_1", { documents }),
    itemOf("mtg_2", { documents }),
    itemOf("mtg_3", { meeting: undefined }),
    itemOf("mtg_4", { meeting: undefined }),
  ],
  removed: [],
};

const before = (id: string) => itemOf(id).memory;

const KILLED_BATCH: StoreBatch = {
  state: "new",
  nextAt: new Date("2026-03-01T00:00:00Z"),
  items: [
    itemOf("mtg_1", {
      before: before("mtg_1"),
      memory: "new",
      meeting: meetingOf("mtg_1", "New"),
      transcript: transcriptOf("mtg_1", "New"),
      documents: [documentOf("doc_3")],
      documentsGone: ["doc_1"],
    }),
    itemOf("mtg_3", { before: before("mtg_3"), memory: "new", documents }),
    itemOf("mtg_4", { before: before("mtg_4"), memory: "new", meeting: undefined, dueAt: new Date(0) }),
    itemOf("mtg_5", { memory: "new" }),
    itemOf("mtg_6", { memory: "new", meeting: undefined }),
  ],
  health: { polledAt: new Date(0), failingSince: undefined, error: undefined },
  removed: [
    { id: "mtg_2", before: before("mtg_2") },
    { id: "mtg_7", before: undefined, memory: "forgotten" },
  ],
};

/** The ids that a second write of the batch is refused for. */
const KILLED_IDS = ["mtg_1", "mtg_2", "mtg_3", "mtg_4", "mtg_5", "mtg_6", "mtg_7"];

/** All that is stored. */
async function snapshot({ store, query }: OpenedDatabase): Promise<string> {
  const ids = await store().ids(undefined, 100);
  const meetings = [];
  for (const id of KILLED_IDS) meetings.push(await readMeeting(query, id));
  return JSON.stringify({
    meetings,
    state: await store().readState(),
    memory: [...(await store().readMemory(ids))].sort(),
    due: await store().due(new Date(), 100),
    accounts: await query("SELECT next_at, polled_at FROM notetaker_accounts"),
    documents: await query("SELECT meeting_id, id FROM notetaker_documents ORDER BY meeting_id, id"),
  });
}

export function killsContract(name: string, { begin, open, mortal }: Killing): void {
  /** Opens the database for `work`, and closes it. */
  async function within<T>(work: (db: OpenedDatabase) => Promise<T>): Promise<T> {
    const db = await open();
    const result = await work(db);
    await db.close();
    return result;
  }

  describe.each([
    ["before", false],
    ["after", true],
  ])(`${name}, lost %s any statement`, (_, isAfter) => {
    /** Kills `work` at each of its statements, and calls `check` after each kill and once without one. */
    async function eachKill(
      prepare: (db: OpenedDatabase) => Promise<unknown>,
      work: (db: OpenedDatabase) => Promise<unknown>,
      check: (db: OpenedDatabase, outcome: unknown) => Promise<void>,
    ): Promise<void> {
      let kills = 0;
      for (let isDone = false; !isDone; kills += 1) {
        await begin();
        await within(prepare);
        const db = await mortal(kills + 1, isAfter);
        const outcome = await work(db).catch((error) => error);
        await db.close();
        isDone = db.isAlive();
        if (!isDone) expect(outcome).toBeInstanceOf(Error);
        await within((again) => check(again, outcome));
      }
      expect(kills).toBeGreaterThan(8);
    }

    test("has all of a write, or nothing", async () => {
      let old = "";
      const results = new Set<string>();
      const write = ({ store }: OpenedDatabase) => store().write(KILLED_BATCH, undefined);
      await eachKill(
        async (db) => {
          await db.store().write(KILLED_START, undefined);
          old = await snapshot(db);
        },
        write,
        async (db, outcome) => {
          const found = await snapshot(db);
          if (!(outcome instanceof Error)) expect(outcome).toEqual([]);
          // The next run decides on what it reads: it writes all, or finds all written.
          expect([...(await write(db))].sort()).toEqual(found === old ? [] : KILLED_IDS);
          results.add(await snapshot(db));
          if (found !== old) results.add(found);
        },
      );
      expect(results.size).toBe(1);
    });

    test("has an index that the next search completes", async () => {
      const ids = Array.from({ length: 25 }, (_, index) => `mtg_${index}`);
      const items = ids.map((id) => itemOf(id, { transcript: talk(id, "alpha", "x") }));
      const search = ({ database }: OpenedDatabase) => openArchive(database).search("alpha", { limit: 200 });
      await eachKill(
        ({ store }) => store().write({ items, removed: [] }, undefined),
        search,
        async (db) => {
          expect(await search(db)).toHaveLength(25);
          const [row] = await db.query("SELECT count(*) AS n FROM notetaker_passages");
          expect(Number(row?.n)).toBe(50);
        },
      );
    });
  });
}
