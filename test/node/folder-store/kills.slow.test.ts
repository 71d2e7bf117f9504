/** A process that is killed at any step leaves whole files, and nothing counts as stored that is not there. */
import { cpSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { folderStore } from "notetaker-sdk/node";
import { beforeEach, expect, it, vi } from "vitest";
import type { MeetingStore, StoreLock } from "../../../src/sync/store.js";
import { filesIn, temporaryFolder } from "../../support/temporary-folder.js";
import { failingFiles } from "../support/failing-files.js";
import { changeOf, documentOf, itemOf, locked, meetingRow, recordingOf, transcriptOf } from "../support/store-items.js";

const IDS = ["mtg_1", "mtg_2"];
const storeOf = (folder: string) => folderStore(folder, { transcript: ["json"] });
const isVisible = (path: string) => !/(^|\/)\./.test(path) && path !== "index.json";

type Before = (id: string) => string | undefined;
type Step = (store: Required<MeetingStore>, lock: StoreLock, before: Before) => Promise<unknown>;

/** What the runs write, one after the other. A step that is repeated has the same result. */
const STEPS: Readonly<Record<string, Step>> = {
  "new meetings": (store, lock, before) => {
    const of = (id: string) => ({ before: before(id), memory: "new" });
    const items = [itemOf("mtg_1", of("mtg_1")), itemOf("mtg_2", { ...of("mtg_2"), documents: [] })];
    return store.write({ state: "1", items, removed: [] }, lock);
  },
  "a recording": async (store, lock, before) => {
    await store.saveRecording(meetingRow("mtg_1"), recordingOf("the whole ", "recording"));
    const item = changeOf("mtg_1", { meeting: meetingRow("mtg_1"), before: before("mtg_1"), memory: "recorded" });
    await store.write({ items: [item], removed: [] }, lock);
  },
  changes: (store, lock, before) => {
    const changed = changeOf("mtg_1", {
      meeting: meetingRow("mtg_1", { title: "Renamed" }),
      transcript: transcriptOf("mtg_1", "Changed."),
      documents: [documentOf("doc_new")],
      documentsGone: ["doc_of_mtg_1"],
      before: before("mtg_1"),
      memory: "changed",
    });
    const gone = changeOf("mtg_2", { isGone: true, before: before("mtg_2"), memory: "gone" });
    return store.write({ state: "2", items: [changed, gone], removed: [] }, lock);
  },
  "a removal, and a meeting that is forgotten": (store, lock, before) => {
    const forgotten = { id: "mtg_1", before: before("mtg_1"), memory: "forgotten" };
    const memory = before("mtg_2");
    const removed = memory === undefined ? [forgotten] : [forgotten, { id: "mtg_2", before: memory }];
    return store.write({ state: "3", items: [], removed }, lock);
  },
};

async function run(store: Required<MeetingStore>, step: Step): Promise<void> {
  const lock = await locked(store);
  const memory = await store.readMemory(IDS);
  await step(store, lock, (id) => memory.get(id));
  await lock.release();
}

/** The process that holds the folder becomes one that has ended. */
async function bury(folder: string): Promise<void> {
  const lock = join(folder, ".notetaker", "lock");
  const content = await readFile(lock, "utf8").catch(() => undefined);
  if (content !== undefined) await writeFile(lock, content.replace(/("pid": ?)\d+/, `$1${2 ** 30}`));
}

/** Runs the step in a copy, and kills it before operation `at`. Resolves to what it has left and the point of its end. */
async function killed(before: string, step: Step, at: number): Promise<{ folder: string; point: string | undefined }> {
  const alive = temporaryFolder();
  cpSync(before, alive, { recursive: true });
  using disk = failingFiles(alive, "killed", at);
  let isDone = false;
  void run(storeOf(alive), step).then(() => {
    isDone = true;
  });
  while (disk.failed === undefined && !isDone) await new Promise(setImmediate);
  // What the process still does after its end, it does elsewhere.
  const folder = temporaryFolder();
  cpSync(alive, folder, { recursive: true });
  return { folder, point: disk.failed && `operation ${at} (${disk.failed})` };
}

/** The next run forgets the rest, whatever it does itself, and also if it looks for missing files. */
async function expectForgotten(folder: string, id: string, point: string): Promise<void> {
  const next = temporaryFolder();
  cpSync(folder, next, { recursive: true });
  await rm(join(next, "index.json"), { force: true });
  await (await locked(storeOf(next))).release();
  expect((await storeOf(next).readMemory([id])).get(id), point).toBe("forgotten");
  const files = await filesIn(next);
  const own = Object.keys(files).filter((path) => path.includes(`-${id}/`));
  expect(own, point).toEqual([]);
  expect(files[`.notetaker/meetings/${id}.json`], point).not.toContain("Renamed");
}

beforeEach(() => {
  // A killed process renews no lock.
  vi.stubGlobal("setInterval", () => ({ unref() {} }));
});

it.each(Object.keys(STEPS))(
  "a run that is killed at any point leaves a folder that the next run completes: %s",
  async (name) => {
    const before = temporaryFolder();
    const names = Object.keys(STEPS);
    for (const earlier of names.slice(0, names.indexOf(name))) await run(storeOf(before), STEPS[earlier] as Step);
    const step = STEPS[name] as Step;
    const clean = temporaryFolder();
    cpSync(before, clean, { recursive: true });
    await run(storeOf(clean), step);
    const states = [await filesIn(before), await filesIn(clean)] as const;
    const memories = [await storeOf(before).readMemory(IDS), await storeOf(clean).readMemory(IDS)] as const;

    let kills = 0;
    for (let at = 1; ; at += 1) {
      const { folder, point } = await killed(before, step, at);
      if (point === undefined) break;
      kills += 1;
      await bury(folder);
      const files = await filesIn(folder);
      for (const [path, content] of Object.entries(files).filter(([path]) => isVisible(path))) {
        expect([states[0][path], states[1][path]], `${point}: ${path}`).toContain(content);
      }
      const memory = await storeOf(folder).readMemory(IDS);
      for (const [id, text] of memory) {
        if (text === "forgotten") await expectForgotten(folder, id, point);
        if (text === "incomplete" || text === "forgotten") continue;
        expect([memories[0].get(id), memories[1].get(id)], point).toContain(text);
        const stored = text === memories[1].get(id) ? states[1] : states[0];
        // A recording is there before the write that says so.
        for (const [path, content] of Object.entries(stored)) {
          if (path.includes(`-${id}/`)) expect(files[path], `${point}: ${path}`).toBe(content);
        }
      }
      // What was interrupted is due, so no engine can forget it.
      const interrupted = [...memory].flatMap(([id, text]) => (text === "incomplete" ? id : []));
      expect(await storeOf(folder).due(new Date(), 10), point).toEqual(interrupted);
      await run(storeOf(folder), step);
      expect(await filesIn(folder), point).toEqual(states[1]);
    }
    expect(kills).toBeGreaterThan(15);
  },
);

it("a write that the disk interrupts leaves a meeting that is due for the same store as well", async () => {
  const isIncomplete: boolean[] = [];
  for (let at = 1, isDone = false; !isDone; at += 1) {
    const folder = temporaryFolder();
    const store = folderStore(folder);
    await store.write({ items: [itemOf("mtg_1")], removed: [] }, undefined);
    const { memory: before } = itemOf("mtg_1");
    const change = changeOf("mtg_1", { transcript: transcriptOf("mtg_1", "Changed."), before });
    {
      using disk = failingFiles(folder, "ENOSPC", at);
      await store.write({ items: [change], removed: [] }, undefined).catch(() => {});
      isDone = disk.failed === undefined;
    }
    const memory = (await store.readMemory(["mtg_1"])).get("mtg_1");
    isIncomplete.push(memory === "incomplete");
    expect(await store.due(new Date(), 10), `operation ${at}`).toEqual(memory === "incomplete" ? ["mtg_1"] : []);
    await store.write({ items: [{ ...change, before: memory }], removed: [] }, undefined);
    const { "index.json": index = "[]", ...files } = await filesIn(folder);
    const listed = JSON.parse(index).map(({ file }: { file: string }) => file);
    expect(listed.sort(), `operation ${at}`).toEqual(Object.keys(files).filter(isVisible).sort());
    await rm(folder, { recursive: true });
  }
  expect(isIncomplete).toContain(true);
});
