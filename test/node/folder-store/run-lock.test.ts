/** One process at a time writes to the folder, and holds it only for as long as it lives. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, readlink, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { folderStore } from "notetaker-sdk/node";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { rejection } from "../../support/recorder.js";
import { filesIn, temporaryFolder } from "../../support/temporary-folder.js";
import { failingFiles } from "../support/failing-files.js";
import { quickly } from "../support/quickly.js";
import { itemOf, locked, meetingRow, recordingOf } from "../support/store-items.js";

let folder = "";
let path = "";
beforeEach(async () => {
  folder = temporaryFolder();
  path = join(folder, ".notetaker", "lock");
  await mkdir(join(folder, ".notetaker"));
});

/** A process id that no process has. */
const ENDED = 2 ** 30;
const STARTED = Math.round(Date.now() - process.uptime() * 1000);
const pidNamespace = await readlink("/proc/self/ns/pid").catch(() => null);
const lock = () => folderStore(folder).lock();
const batchOf = (id: string) => ({ state: "new", items: [itemOf(id)], removed: [] });
const locks = async () => (await readdir(join(folder, ".notetaker"))).filter((name) => name.startsWith("lock"));
const heldUntil = async () => new Date((await stat(path)).mtime.getTime() + 180_000);

/** Another run has renewed its lock this long ago. */
async function heldBy(holder: object, silentMs = 0, at = path): Promise<void> {
  const own = { pid: process.pid, host: hostname(), processStartedAt: STARTED, pidNamespace };
  await writeFile(at, JSON.stringify({ ...own, ...holder, run: "another" }));
  const renewedAt = new Date(Date.now() - silentMs);
  await utimes(at, renewedAt, renewedAt);
}

it("the lock is a lease of three minutes, which the run renews while it lives, until it is released", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
  const begun = Date.now();
  const held = await locked(folderStore(folder));
  expect(await lock()).toEqual({ heldUntil: new Date(begun + 180_000) });
  await vi.advanceTimersByTimeAsync(30_000);
  await vi.waitFor(async () => expect((await heldUntil()).getTime()).toBeGreaterThanOrEqual(begun + 210_000), 60_000);
  await held.release();
  expect(await locks()).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

it.each<[string, object, number]>([
  ["this process", {}, 0],
  ["another living process", { pid: process.ppid, processStartedAt: 0 }, 170_000],
  ["a process of another machine", { host: "another-machine", pid: ENDED }, 170_000],
  ["a process of another container with the same host name", { pidNamespace: "pid:[1]", pid: ENDED }, 170_000],
])("the lock is respected while its holder may live: %s", async (_, holder, silentMs) => {
  await heldBy(holder, silentMs);
  const content = await readFile(path, "utf8");
  expect(await lock()).toEqual({ heldUntil: await heldUntil() });
  expect(await readFile(path, "utf8")).toBe(content);
});

describe("the lock is free", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  const expectFree = async () => {
    const held = await quickly(lock());
    if ("heldUntil" in held) throw new Error("it is held");
    await held.release();
    expect(await locks()).toEqual([]);
  };

  it.each<[string, object, number]>([
    ["its process has ended", { pid: ENDED }, 0],
    ["its process had the id of this one before", { processStartedAt: STARTED - 60_000 }, 0],
    ["its process of another machine was silent for three minutes", { host: "another-machine" }, 181_000],
    ["the clock was set back since it was renewed", { pid: process.ppid }, -3_600_000],
    ["it names no process", { pid: "?" }, 0],
  ])("if %s", async (_, holder, silentMs) => {
    await heldBy(holder, silentMs);
    await expectFree();
  });

  it("after its process was killed", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    await once(child, "spawn");
    await heldBy({ pid: child.pid });
    expect(await lock()).toHaveProperty("heldUntil");
    child.kill("SIGKILL");
    await once(child, "exit");
    await expectFree();
  });

  it("if it is a link, which is not followed", async () => {
    const victim = join(folder, "victim");
    await writeFile(victim, "untouched");
    await symlink(victim, path);
    await expectFree();
    expect(await readFile(victim, "utf8")).toBe("untouched");
  });

  it("even if an earlier take-over was killed half-way", async () => {
    for (const at of [path, `${path}.next`, `${path}.next.next`]) await heldBy({ pid: ENDED }, 0, at);
    await expectFree();
  });

  it.each([0, -3_600_000, 3_600_000])("for one of several at a time, also if the disk is %i ms ahead", async (ms) => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: Date.now() + ms });
    for (let round = 0; round < 5; round += 1) {
      if (round > 0) await heldBy({ pid: ENDED });
      const stores = Array.from({ length: 8 }, () => folderStore(folder));
      const locks = await quickly(Promise.all(stores.map((store) => store.lock())));
      // Here a second is so short that a lock may be taken over while it is written: then its holder cannot write.
      const writes = locks.flatMap((held, index) =>
        "release" in held ? stores[index]?.write({ items: [], removed: [] }, held).then(() => held) : [],
      );
      const written = (await Promise.allSettled(writes)).filter(({ status }) => status === "fulfilled");
      expect(written).toHaveLength(1);
      for (const held of locks) if ("release" in held) await held.release();
    }
  });

  it("when a virus scanner has closed it", async () => {
    const held = await locked(folderStore(folder));
    using _disk = failingFiles(path, "EPERM", 1, { only: "rm", times: 5 });
    await quickly(held.release());
    expect(await locks()).toEqual([]);
  });
});

it.each<[string, () => Promise<unknown>]>([
  ["another run has taken it", () => heldBy({ host: "another-machine" })],
  ["it was deleted", () => rm(path)],
])("a lock is lost if %s: nothing is written any more, and the other's lock stays", async (_, lose) => {
  const store = folderStore(folder);
  const held = await locked(store);
  await store.write(batchOf("mtg_1"), held);
  await lose();
  const before = await filesIn(folder);
  const late = { ...batchOf("mtg_2"), state: "late" };
  expect(await rejection(store.write(late, held))).toMatchObject({ name: "StoreLockLostError" });
  await held.release();
  expect(await filesIn(folder)).toEqual(before);
});

it("a write that was suspended between two of its files writes nothing more", async () => {
  const render = () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 181_000 });
    writeFileSync(path, JSON.stringify({ host: "another-machine" }));
    return "";
  };
  const store = folderStore(folder, { transcript: [{ extension: "html", render }] });
  const held = await locked(store);
  expect(await rejection(store.write(batchOf("mtg_1"), held))).toMatchObject({ name: "StoreLockLostError" });
  expect(Object.keys(await filesIn(folder)).filter((name) => name.includes("mtg_1"))).toEqual([]);
});

it("a recording whose download outlives the lock replaces nothing", async () => {
  const store = folderStore(folder);
  await locked(store);
  const pull = async (controller: ReadableStreamDefaultController) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 181_000 });
    await heldBy({ host: "another-machine" });
    controller.close();
  };
  const stream = new ReadableStream({ pull }, { highWaterMark: 0 });
  const recording = { ...recordingOf(), stream: stream as never };
  const saving = store.saveRecording(meetingRow("mtg_1"), recording);
  expect(await rejection(saving)).toMatchObject({ name: "StoreLockLostError" });
  expect(Object.keys(await filesIn(folder)).filter((name) => name.includes("recording."))).toEqual([]);
});

it("a lock of another store is no lock", async () => {
  const foreign = await locked(folderStore(temporaryFolder()));
  const writing = folderStore(folder).write(batchOf("mtg_1"), foreign);
  expect(await rejection(writing)).toMatchObject({ name: "StoreLockLostError" });
});

it.each(["EACCES", "EIO"] as const)("a lock that cannot be read is an error, and stays: %s", async (code) => {
  await heldBy({ pid: process.ppid });
  const content = await readFile(path, "utf8");
  for (let at = 1; at <= 3; at += 1) {
    {
      using _disk = failingFiles(path, code, at, { times: 9 });
      expect(String(await rejection(lock()))).toContain(path);
    }
    expect(await readFile(path, "utf8")).toBe(content);
  }
});

it("a write without a lock waits for a run for a minute, and then rejects", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await heldBy({ host: "another-machine" });
  const error = await rejection(quickly(folderStore(folder).write(batchOf("mtg_1"), undefined)));
  expect(error).toMatchObject({ name: "StoreLockLostError" });
  expect(Object.keys(await filesIn(folder))).toEqual([".notetaker/lock"]);
});

it("a write without a lock uses that of a run of the same store", async () => {
  const store = folderStore(folder);
  const held = await locked(store);
  await Promise.all(["mtg_1", "mtg_2"].map((id) => store.write(batchOf(id), undefined)));
  await held.release();
  expect(await folderStore(folder).ids(undefined, 10)).toEqual(["mtg_1", "mtg_2"]);
});
