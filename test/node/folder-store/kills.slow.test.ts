/** A process that is killed at any step leaves whole files, and nothing counts as stored that is not there. */
import { cpSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { folderStore } from "notetaker-sdk/node";
import { beforeEach, expect, it, vi } from "vitest";
import type { MeetingStore, StoreLock } from "../../../src/sync/store/store.js";
import { filesIn, temporaryFolder } from "../../support/temporary-folder.js";
import { failingFiles } from "../support/failing-files.js";
import { changeOf, documentOf, itemOf, locked, meetingRow, recordingOf, transcriptOf } from "../support/store-items.js";

const IDS = ["mtg_1", "mtg_2"];

type Files = Record<string, string>;
const visibleIn = async (folder: string): Promise<Files> =>
  Object.fromEntries(Object.entries(await filesIn(folder)).filter(([path]) => !/(^|\/)\./.test(path)));

type Step = (
  store: Required<MeetingStore>,
  lock: StoreLock,
  before: (id: string) => string | undefined,
) => Promise<unknown>;

/** What the runs write, one after the other. A step that is repeated has the same result. */
const STEPS: readonly (readonly [name: string, step: Step])[] = [
  [
    "new meetings",
    (store, lock, before) => {
      const items = [
        itemOf("mtg_1", { before: before("mtg_1"), memory: "new" }),
        itemOf("mtg_2", { before: before("mtg_2"), memory: "new", documents: [] }),
      ];
      return store.write({ state: "1", items, removed: [] }, lock);
    },
  ],
  [
    "a recording",
    async (store, lock, before) => {
      await store.saveRecording(meetingRow("mtg_1"), recordingOf("the whole ", "recording"));
      const item = changeOf("mtg_1", { meeting: meetingRow("mtg_1"), before: before("mtg_1"), memory: "recorded" });
      await store.write({ items: [item], removed: [] }, lock);
    },
  ],
  [
    "changes",
    (store, lock, before) => {
      const items = [
        changeOf("mtg_1", {
          meeting: meetingRow("mtg_1", { title: "Renamed" }),
          transcript: transcriptOf("mtg_1", "Changed."),
          documents: [documentOf("doc_new")],
          documentsGone: ["doc_of_mtg_1"],
          before: before("mtg_1"),
          memory: "changed",
        }),
        changeOf("mtg_2", { isGone: true, before: before("mtg_2"), memory: "gone" }),
      ];
      return store.write({ state: "2", items, removed: [] }, lock);
    },
  ],
  [
    "a removal",
    (store, lock, before) => {
      const memory = before("mtg_2");
      const removed = memory === undefined ? [] : [{ id: "mtg_2", before: memory }];
      return store.write({ state: "3", items: [], removed }, lock);
    },
  ],
];

async function runStep(folder: string, step: Step): Promise<void> {
  const store = folderStore(folder, { transcript: ["json"] });
  const lock = await locked(store);
  const memory = await store.readMemory(IDS);
  await step(store, lock, (id) => memory.get(id));
  await lock.release();
}

/** The process that the locks of a folder name becomes one that has ended. */
async function bury(folder: string): Promise<void> {
  const state = join(folder, ".notetaker");
  for (const name of (await readdir(state)).filter((name) => name.includes("lock"))) {
    const content = await readFile(join(state, name), "utf8");
    await writeFile(join(state, name), content.replace(/("pid": ?)\d+/, `$1${2 ** 30}`));
  }
}

/** A copy in which a run was killed before it had stored anything. */
async function copyWithLocks(of: string): Promise<string> {
  const folder = temporaryFolder();
  cpSync(of, folder, { recursive: true });
  await locked(folderStore(folder));
  await writeFile(join(folder, ".notetaker", "write.lock"), await readFile(join(folder, ".notetaker", "lock")));
  await writeFile(join(folder, ".notetaker", "write.lock.next"), "");
  await bury(folder);
  return folder;
}

// A killed process has no timers: they are removed with it. And no lock is renewed: each run is shorter than the 30
// seconds between two renewals, but not on a busy machine, where time passes as fast.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("setInterval", () => ({ unref() {} }));
});

it.each(STEPS)(
  "a run that is killed at any point leaves a folder that the next run completes: %s",
  async (name, step) => {
    const before = temporaryFolder();
    const number = STEPS.findIndex(([other]) => other === name);
    for (const [, earlier] of STEPS.slice(0, number)) await untilEnded(runStep(before, earlier));
    const clean = await copyWithLocks(before);
    await untilEnded(runStep(clean, step));
    /** The files of each state in which the folder may be. */
    const states = [await visibleIn(before), await visibleIn(clean)];
    const memories = [before, clean].map((folder) => folderStore(folder, { transcript: ["json"] }).readMemory(IDS));
    const [memoryBefore, memoryAfter] = await Promise.all(memories);

    let kills = 0;
    for (let at = 1; ; at += 1) {
      const killed = await copyWithLocks(before);
      // What the process still does after its end, it does elsewhere.
      const folder = temporaryFolder();
      let point: string | undefined;
      {
        using disk = failingFiles(killed, "killed", at);
        await untilEnded(runStep(killed, step), () => disk.failed !== undefined);
        cpSync(killed, folder, { recursive: true });
        point = disk.failed && `operation ${at} (${disk.failed})`;
      }
      if (point === undefined) break;
      kills += 1;
      await bury(folder);
      const files = await visibleIn(folder);
      for (const [path, content] of Object.entries(files)) {
        if (path !== "index.json")
          expect([states[0]?.[path], states[1]?.[path]], `${point}: ${path}`).toContain(content);
      }
      const left = folderStore(folder, { transcript: ["json"] });
      const memory = await left.readMemory(IDS);
      for (const [id, text] of memory) {
        if (text === "incomplete") continue;
        expect([memoryBefore?.get(id), memoryAfter?.get(id)], point).toContain(text);
        const stored = (text === memoryAfter?.get(id) ? states[1] : states[0]) ?? {};
        // A recording is there before the write that says so.
        for (const [path, content] of Object.entries(stored)) {
          if (path.includes(`-${id}/`)) expect(files[path], `${point}: ${path}`).toBe(content);
        }
      }
      // What was interrupted is due, so no engine can forget it.
      const incomplete = [...memory].flatMap(([id, text]) => (text === "incomplete" ? id : []));
      expect(await untilEnded(left.due(new Date(), 10)), point).toEqual(incomplete);
      await untilEnded(runStep(folder, step));
      expect(await visibleIn(folder), point).toEqual(states[1]);
      expect(await left.readMemory(IDS), point).toEqual(memoryAfter);
      const remainders = Object.keys(await filesIn(folder)).filter((path) => /\.part$|lock|stale/.test(path));
      expect(remainders, point).toEqual([]);
    }
    expect(kills).toBeGreaterThan(25);
  },
);

/**
 * Lets time pass until the work has ended, or the process is killed. Its timers end with it. The time is 20 times as fast:
 * each run waits a second for a lock that the killed process had begun to write.
 */
async function untilEnded<T>(work: Promise<T>, isKilled = () => false): Promise<T | undefined> {
  let ended = false;
  const end = () => {
    ended = true;
  };
  work.then(end, end);
  for (let before = performance.now(); !ended && !isKilled(); ) {
    await new Promise(setImmediate);
    const now = performance.now();
    await vi.advanceTimersByTimeAsync(20 * (now - before));
    before = now;
  }
  vi.clearAllTimers();
  return ended ? work : undefined;
}
