/** One run at a time has the folder, and only for as long as it lives. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { folderStore } from "notetaker-sdk/node";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { rejection } from "../../support/recorder.js";
import { filesIn, temporaryFolder } from "../../support/temporary-folder.js";
import { failingFiles } from "../support/failing-files.js";
import { itemOf, locked, writeItems } from "../support/store-items.js";

let folder = "";
let lease = "";
let writeLock = "";
beforeEach(async () => {
  folder = temporaryFolder();
  lease = join(folder, ".notetaker", "lock");
  writeLock = join(folder, ".notetaker", "write.lock");
  await mkdir(join(folder, ".notetaker"));
});

const processStart = () => Math.round(Date.now() - process.uptime() * 1000);
const ownerOf = (fields: object) => ({
  pid: process.pid,
  host: hostname(),
  processStartedAt: processStart(),
  ...fields,
});
/** Another run holds the folder for this long. */
async function leasedTo(owner: object, remainingMs = 100_000) {
  await writeFile(lease, JSON.stringify({ ...ownerOf(owner), run: "another" }));
  const renewedAt = new Date(Date.now() + remainingMs - 180_000);
  await utimes(lease, renewedAt, renewedAt);
}
const leasedUntil = async () => (await stat(lease)).mtime.getTime() + 180_000;
const lock = () => folderStore(folder).lock();
/** A process id that no process has. */
const ENDED = 2 ** 30;
const batchOf = (id: string) => ({ state: "new", items: [itemOf(id)], removed: [] });
const state = async () => (await readdir(join(folder, ".notetaker"))).sort();

describe("the lock of a run", () => {
  it("is a lease of three minutes, which the run renews while it lives, until it is released", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    const begun = Date.now();
    const held = await locked(folderStore(folder));
    expect(await leasedUntil()).toBe(begun + 180_000);
    expect(await lock()).toEqual({ heldUntil: new Date(begun + 180_000) });
    await vi.advanceTimersByTimeAsync(30_000);
    await vi.waitFor(async () => expect(await leasedUntil()).toBeGreaterThanOrEqual(begun + 210_000), 60_000);
    await held.release();
    expect(await state()).not.toContain("lock");
    expect(vi.getTimerCount()).toBe(0);
    await (await locked(folderStore(folder))).release();
  });

  it("is respected while its owner may live", async () => {
    for (const owner of [{}, { pid: process.ppid, processStartedAt: 0 }, { host: "another-machine" }]) {
      await leasedTo(owner);
      const content = await readFile(lease, "utf8");
      expect(await lock()).toEqual({ heldUntil: new Date(await leasedUntil()) });
      expect(await readFile(lease, "utf8")).toBe(content);
    }
  });

  it("is held on by a process whose clock was set, or that was suspended", async () => {
    const held = await locked(folderStore(folder));
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    expect(await lock()).toHaveProperty("heldUntil");
    await held.release();
  });

  it("is free after its process was killed", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    await once(child, "spawn");
    await leasedTo({ pid: child.pid });
    expect(await lock()).toHaveProperty("heldUntil");
    child.kill("SIGKILL");
    await once(child, "exit");
    await (await locked(folderStore(folder))).release();
  });

  it("is had by one of several runs that begin at the same time", async () => {
    await leasedTo({ pid: ENDED });
    const locks = await Promise.all(Array.from({ length: 8 }, lock));
    const held = locks.filter((one) => "release" in one);
    expect(held).toHaveLength(1);
    for (const one of held) await one.release();
  });

  it.each<[string, () => Promise<unknown>]>([
    ["another run has taken it", () => leasedTo({ host: "another-machine" })],
    ["it was deleted", () => rm(lease)],
  ])("is lost if %s: nothing is written any more, and the other's lock stays", async (_, lose) => {
    const store = folderStore(folder);
    const held = await locked(store);
    await store.write(batchOf("mtg_1"), held);
    await lose();
    const before = await filesIn(folder);
    const late = { ...batchOf("mtg_2"), state: "late" };
    expect(await rejection(store.write(late, held))).toMatchObject({ name: "StoreLockLostError" });
    expect(await filesIn(folder)).toEqual(before);
    await held.release();
    expect(Object.keys(await filesIn(folder)).includes(".notetaker/lock")).toBe(".notetaker/lock" in before);
  });

  it("is lost if it is released, or is that of another store", async () => {
    const [store, other] = [folderStore(folder), folderStore(temporaryFolder())];
    const [held, foreign] = [await locked(store), await locked(other)];
    await held.release();
    for (const one of [held, foreign]) {
      expect(await rejection(store.write(batchOf("mtg_1"), one))).toMatchObject({ name: "StoreLockLostError" });
    }
    await foreign.release();
  });

  it("is free for the same process although the disk failed to delete it", async () => {
    const held = await locked(folderStore(folder));
    {
      using _disk = failingFiles(lease, "EIO", 1, true);
      await rejection(held.release());
    }
    expect(await state()).toContain("lock");
    await (await locked(folderStore(folder))).release();
  });
});

describe("the lock of a write", () => {
  const ownedBy = (owner: object, path = writeLock) => writeFile(path, JSON.stringify(ownerOf(owner)));
  const silentFor = (ms: number, path = writeLock) =>
    utimes(path, new Date(Date.now() - ms), new Date(Date.now() - ms));
  const write = () => writeItems(folderStore(folder), itemOf("mtg_1"));
  const locks = async () => (await state()).filter((name) => name.startsWith("write"));

  it("is waited for while its owner lives, and is gone after the write", async () => {
    // The lock grows no older, however busy the machine is.
    vi.useFakeTimers({ toFake: ["Date"] });
    const owners = [{}, { pid: process.ppid, processStartedAt: 0 }, { host: "another-machine" }];
    const written: string[] = [];
    const waiting = owners.map(async (owner, index) => {
      const own = temporaryFolder();
      const path = join(own, ".notetaker", "write.lock");
      await mkdir(join(own, ".notetaker"));
      await ownedBy(owner, path);
      await silentFor(170_000, path);
      const id = `mtg_${index}`;
      const writing = writeItems(folderStore(own), itemOf(id)).then(() => written.push(id));
      // Longer than it takes to replace a lock whose owner may have ended.
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      expect(written).not.toContain(id);
      await rm(path);
      await writing;
      expect(await readdir(join(own, ".notetaker"))).not.toContain("write.lock");
    });
    await Promise.all(waiting);
  });

  it("is taken over if its owner has ended, is not named, or was silent: also if that was before the clock was set back", async () => {
    const earlier = { processStartedAt: processStart() - 60_000 };
    const taken: readonly [owner: object, silentMs: number][] = [
      [{ pid: ENDED }, 0],
      [earlier, 0],
      [{ host: "another-machine" }, 181_000],
      [{ pid: process.ppid }, -3_600_000],
      [{ pid: "?" }, 0],
    ];
    for (const [owner, silentMs] of taken) {
      await ownedBy(owner);
      await silentFor(silentMs);
      await write();
      expect(await locks()).toEqual([]);
    }
    const victim = join(folder, "victim");
    await writeFile(victim, "untouched");
    await symlink(victim, writeLock);
    await write();
    expect(await locks()).toEqual([]);
    expect(await readFile(victim, "utf8")).toBe("untouched");
  });

  it("is taken over even if an earlier take-over was killed half-way", async () => {
    await ownedBy({ pid: ENDED });
    await ownedBy({ pid: ENDED }, `${writeLock}.next`);
    await ownedBy({ pid: ENDED }, `${writeLock}.next.next`);
    await write();
    expect(await locks()).toEqual([]);
  });

  it("is taken over by one of several writes at a time", async () => {
    for (let round = 0; round < 10; round += 1) {
      await ownedBy({ pid: ENDED });
      const ids = Array.from({ length: 8 }, (_, index) => `mtg_${round}_${index}`);
      await Promise.all(ids.map((id) => writeItems(folderStore(folder), itemOf(id))));
      expect((await folderStore(folder).readMemory(ids)).size).toBe(8);
      expect(await locks()).toEqual([]);
    }
  });

  it("is not taken over from a living process if the disk has another time than this machine", async () => {
    for (const ms of [-3_600_000, 3_600_000]) {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
      const ids = Array.from({ length: 8 }, (_, index) => `mtg_${index}`);
      await Promise.all(ids.map((id) => folderStore(folder).write(batchOf(id), undefined)));
      expect(await locks()).toEqual([]);
      await rm(join(folder, ".notetaker"), { recursive: true });
      vi.useRealTimers();
    }
  });

  it.each(["EACCES", "EIO"] as const)("is not taken over if it cannot be read: %s", async (code) => {
    await ownedBy({ pid: process.ppid });
    const content = await readFile(writeLock, "utf8");
    for (let at = 1; at <= 3; at += 1) {
      let error: unknown;
      {
        using _disk = failingFiles(writeLock, code, at, true);
        error = await rejection(write());
      }
      expect(String(error)).toContain(writeLock);
      expect(await readFile(writeLock, "utf8")).toBe(content);
    }
  });

  it("is checked before each file: a write that lost it while it was suspended writes nothing more", async () => {
    const render = () => {
      // This process was suspended, and another one has taken over the lock.
      writeFileSync(writeLock, JSON.stringify(ownerOf({ host: "another-machine" })));
      return "";
    };
    const store = folderStore(folder, { transcript: [{ extension: "html", render }] });
    await writeItems(folderStore(folder), itemOf("mtg_2"));
    const before = await filesIn(folder);
    expect(await rejection(writeItems(store, itemOf("mtg_1")))).toMatchObject({ name: "StoreLockLostError" });
    const { ".notetaker/write.lock": taken, ...after } = await filesIn(folder);
    expect(after).toEqual(before);
    expect(taken).toContain("another-machine");
  });
});
