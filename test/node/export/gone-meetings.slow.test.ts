/** Meetings that the service no longer has. */
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ExportOptions, exportMeetings, walkMeetings } from "notetaker-sdk/node";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.js";
import {
  account,
  clientOf,
  clientOfEdited,
  contents,
  editedRows,
  filesOf,
  meetings,
  run,
  runAndKill,
  type Store,
  storeSink,
  text,
  UNLIMITED,
  withoutId,
} from "../support/account.js";

/** Exports all seeds, then only those that `keep` accepts. Returns the ids that onGone got. */
async function goneIds(
  keep: (index: number) => boolean,
  options: Partial<ExportOptions> = {},
  store: Store = new Map(),
) {
  const seeds = meetings(60);
  await run(account(seeds).service, store, { formats: { documents: [] } });
  const gone: string[] = [];
  const later = account(seeds.filter((_, index) => keep(index)));
  const summary = await run(later.service, store, {
    formats: { documents: [] },
    skipExisting: true,
    onGone: (id) => void gone.push(id),
    ...options,
  });
  return { gone, summary, later };
}

const foldersIn = (store: Store) =>
  new Set([...store.keys()].filter((path) => path.startsWith("202")).map((path) => path.split("/")[0]));

describe("onGone of an export", () => {
  it("gets each exported meeting that the service no longer has", async () => {
    const store: Store = new Map();
    const { gone } = await goneIds((index) => index !== 7 && index !== 55, {}, store);
    expect(gone.sort()).toEqual(["mtg_00007", "mtg_00055"]);
    expect(foldersIn(store).size).toBe(60);
  });

  it("gets nothing if no meeting is gone, and the export sends no additional request", async () => {
    const { gone, summary } = await goneIds(() => true);
    expect(gone).toEqual([]);
    expect(summary.requests).toBe(2);
  });

  it("never gets a meeting that since or until excludes", async () => {
    const since = new Date(Date.UTC(2025, 0, 1) - 20 * 3_600_000);
    expect((await goneIds((index) => index < 30, { since })).gone).toEqual([]);
    const until = new Date(Date.UTC(2025, 0, 1) - 40 * 3_600_000);
    expect((await goneIds((index) => index > 30, { until })).gone).toEqual([]);
  });

  it("never gets a meeting because an invalid row of the list hides it", async () => {
    const { service } = account(meetings(3));
    const into = storeSink(await filesOf(service));
    const gone: string[] = [];
    const onGone = (id: string) => void gone.push(id);
    const notetaker = clientOfEdited(service, withoutId("mtg_00001"));
    const summary = await exportMeetings(notetaker, { into, onGone, ...UNLIMITED });
    expect(gone).toEqual([]);
    expect(summary.missing).toMatchObject([{ what: "meeting (page 1, row 2)" }]);
  });

  it("gets nothing if the response to the request by id does not prove it", async () => {
    const answers: [string, (rows: unknown[]) => object][] = [
      ["further pages", (rows) => ({ data: rows.slice(1), has_more: true, next_cursor: "next" })],
      ["an invalid row", (rows) => ({ data: [...rows.slice(1), null] })],
      ["a row without an id", (rows) => ({ data: [...rows.slice(1), { id: null }] })],
      ["other meetings, as if the ids were ignored", () => ({ data: [{ id: "mtg_other" }] })],
    ];
    const ids = meetings(45).map(({ id }) => id as string);
    for (const [what, answer] of answers) {
      const { service } = account(meetings(45));
      // The walk itself contains one meeting, so all others are requested by their ids, 18 at once.
      const edit = (path: string, body: unknown) => {
        const page = { has_more: false, next_cursor: null, ...(body as { data: unknown[] }) };
        if (!path.endsWith("/meetings")) return body;
        return page.data.length > 20 ? { ...page, data: page.data.slice(0, 1) } : { ...page, ...answer(page.data) };
      };
      const gone: string[] = [];
      const formats = { transcript: false, documents: [] };
      const options = { known: ids, onGone: (id: string) => void gone.push(id), formats, ...UNLIMITED };
      for await (const { meeting } of walkMeetings(clientOfEdited(service, edit), options)) {
        expect(meeting.id).toBe("mtg_00000");
      }
      expect(gone, what).toEqual([]);
      expect(service.requests).toHaveLength(1 + 3);
    }
  });

  it("ends the export if it throws, and the next run reports the meeting again", async () => {
    const store: Store = new Map();
    const onGone = () => Promise.reject(new Error("database is down"));
    await expect(goneIds((index) => index !== 7, { onGone }, store)).rejects.toThrow("database is down");
    expect((await goneIds((index) => index !== 7, {}, store)).gone).toEqual(["mtg_00007"]);
  });
});

describe("prune of an export", () => {
  it("deletes the saved files of a meeting that is gone, and no other files", async () => {
    const store: Store = new Map();
    const { gone } = await goneIds((index) => index !== 7, { prune: true }, store);
    expect(gone).toEqual(["mtg_00007"]);
    expect(foldersIn(store).size).toBe(59);
    expect([...store.keys()].filter((path) => path.includes("mtg_00007"))).toEqual([]);
    expect(text(store, "index.json")).not.toContain("mtg_00007");
    expect((await goneIds((index) => index !== 7, { prune: true }, new Map(store))).gone).toEqual(["mtg_00007"]);
  });

  it("deletes everything, wherever an earlier run was killed", async () => {
    const old = await filesOf(account(meetings(2)).service);
    const { service } = account(meetings(1));
    const clean = await filesOf(service);
    for (let steps = 1; ; steps++) {
      const store: Store = new Map(old);
      if (!(await runAndKill(service, store, steps, { prune: true, skipExisting: true }))) break;
      await run(service, store, { prune: true, skipExisting: true });
      expect(contents(store), `killed at step ${steps}`).toEqual(contents(clean));
    }
  });

  it("deletes what a killed run had saved of a meeting that was deleted then, whatever the next run does", async () => {
    const formats = { documents: [], recording: true };
    const next: Partial<ExportOptions>[] = [
      { formats },
      { formats, skipExisting: true },
      { formats: { transcript: ["text"] } },
    ];
    for (let steps = 1; ; steps += 1) {
      const { service } = account(meetings(2));
      const killed: Store = new Map();
      const wasKilled = await runAndKill(service, killed, steps, { formats, concurrency: 1 });
      service.meetings.delete("mtg_00000");
      for (const options of next) {
        const store: Store = new Map(killed);
        // A meeting that was complete belongs to the export that is resumed: the run after that deletes it.
        for (const _ of [1, 2]) await run(service, store, { prune: true, ...options });
        const left = [...store].filter(([path, bytes]) =>
          /mtg_00000/.test(path + Buffer.from(bytes).toString("latin1")),
        );
        expect(
          left.map(([path]) => path),
          `killed at step ${steps}`,
        ).toEqual([]);
      }
      if (!wasKilled) break;
    }
  });

  it.each(["", "{", "[]", undefined])("deletes what is gone even if index.json is %j", async (index) => {
    const store = await filesOf(account(meetings(3)).service);
    if (index === undefined) store.delete("index.json");
    else store.set("index.json", Buffer.from(index));
    const { service } = account(meetings(2));
    const { notPruned } = await run(service, store, { prune: true });
    expect(notPruned).toBeUndefined();
    expect(contents(store)).toEqual(contents(await filesOf(service)));
  });

  it.each<[string, (data: unknown[]) => unknown[], RegExp]>([
    ["the list has no meeting", () => [], /^the meeting list had no meeting$/],
    [
      "the request by ids returns nothing, not even what was listed",
      (data) => (data.length === 3 ? data : []),
      /^the service did not return mtg_\d+ or mtg_\d+ by id, which it had listed$/,
    ],
  ])("deletes and reports nothing, and says so, if %s", async (_, edit, notPruned) => {
    const store = await filesOf(account(meetings(5)).service);
    const into = storeSink(store);
    const paths = [...store.keys()];
    const { service } = account(meetings(3));
    const notetaker = clientOfEdited(service, editedRows(edit));
    const onGone = () => expect.unreachable();
    for (const _ of [1, 2]) {
      const summary = await exportMeetings(notetaker, { into, prune: true, onGone, ...UNLIMITED });
      expect(summary.notPruned).toMatch(notPruned);
    }
    const known = ["mtg_00000", "mtg_00003"];
    for await (const { meeting } of walkMeetings(notetaker, { known, onGone, ...UNLIMITED }))
      expect(meeting).toBeDefined();
    expect([...store.keys()]).toEqual(paths);
    expect(await run(service, store, { prune: true })).toMatchObject({ meetings: 3, notPruned: undefined });
    expect(foldersIn(store).size).toBe(3);
  });

  it("keeps the user's own files in the folder of a meeting", async () => {
    const folder = temporaryFolder();
    const before = account(meetings(2)).service;
    await exportMeetings(clientOf(before), { into: folder, ...UNLIMITED });
    await writeFile(join(folder, "2025-01-01-Weekly-sync-mtg_00000", "my notes.txt"), "mine");
    const after = account(meetings(2).slice(1)).service;
    await exportMeetings(clientOf(after), { into: folder, prune: true, ...UNLIMITED });
    expect((await readdir(folder)).sort()).toEqual([
      ".notetaker-export",
      "2024-12-31-mtg_00001",
      "2025-01-01-Weekly-sync-mtg_00000",
      "index.json",
    ]);
    expect(await readdir(join(folder, "2025-01-01-Weekly-sync-mtg_00000"))).toEqual(["my notes.txt"]);
  });
});
