/** Two exports never write into the same folder at the same time. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { InvalidArgumentError } from "notetaker-sdk";
import { exportMeetings, folderSink } from "notetaker-sdk/node";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { rejection, rejectionOf } from "../../support/recorder.js";
import { filesIn, temporaryFolder } from "../../support/temporary-folder.js";
import { account, clientOf, meetings, UNLIMITED } from "../support/account.js";
import { failingFiles } from "../support/failing-files.js";

let folder = "";
let lock = "";
beforeEach(async () => {
  folder = temporaryFolder();
  lock = join(folder, ".notetaker-export", "lock");
  await mkdir(join(folder, ".notetaker-export"));
});
afterEach(() => void vi.useRealTimers());

const start = () => exportMeetings(clientOf(account(meetings(3)).service), { into: folder, ...UNLIMITED });
/** The content of every file, except the temporary ones. */
const wholeFiles = async () =>
  Object.entries(await filesIn(folder))
    .filter(([path]) => !path.endsWith(".part"))
    .sort();
const lockFolder = () => folderSink(folder).lock();
const state = () => readdir(join(folder, ".notetaker-export"));

const processStart = () => Math.round(Date.now() - process.uptime() * 1000);
const ownedBy = (owner: object, path = lock) =>
  writeFile(path, JSON.stringify({ pid: process.pid, host: hostname(), processStartedAt: processStart(), ...owner }));
/** The last update of the lock is this many milliseconds ago. */
const updatedBefore = (ms: number) => utimes(lock, new Date(Date.now() - ms), new Date(Date.now() - ms));
/** A process id that no process has. */
const ENDED = 2 ** 30;

describe("two exports into one folder", () => {
  it("do not run at the same time: one is refused with the other's process, and the other completes", async () => {
    // Which of the two gets the lock first depends on the file system.
    const results = await Promise.allSettled([start(), start()]);
    const refused = results.flatMap((result) => (result.status === "rejected" ? result.reason : []));
    const who = `process ${process.pid} on ${hostname()}`;
    const wayOut = `wait for it to end, or delete ${lock} if it is gone`;
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({
      name: "InvalidArgumentError",
      issues: [{ path: "into", message: `${folder} is in use by another export (${who}); ${wayOut}` }],
    });
    const ended = results.find((result) => result.status === "fulfilled");
    expect(ended?.value).toMatchObject({ saved: 9, missing: [] });
    expect(await state()).not.toContain("lock");
  });

  it("can run one after the other, even after a failure", async () => {
    const { service } = account(meetings(3));
    service.faults.next("GET /meetings", { status: 401 });
    const into = { into: folder, ...UNLIMITED };
    await expect(exportMeetings(clientOf(service), into)).rejects.toThrow();
    expect(await exportMeetings(clientOf(service), into)).toMatchObject({ saved: 9 });
  });
});

describe("the lock of a folder", () => {
  it("names its owner, is updated every 30 seconds, and is the only file until it is released", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const unlock = await lockFolder();
    expect(JSON.parse(await readFile(lock, "utf8"))).toMatchObject({ pid: process.pid, host: hostname() });
    await updatedBefore(600_000);
    vi.advanceTimersByTime(29_999);
    expect((await stat(lock)).mtimeMs).toBeLessThan(Date.now() - 500_000);
    vi.advanceTimersByTime(1);
    await vi.waitFor(async () => expect((await stat(lock)).mtimeMs).toBeGreaterThan(Date.now() - 60_000), 60_000);
    expect(await state()).toEqual(["lock"]);
    await unlock();
    expect(await state()).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("may be missing, or have another owner, when its owner releases it", async () => {
    const unlock = await lockFolder();
    await ownedBy({ host: "another-machine" });
    await unlock();
    expect(JSON.parse(await readFile(lock, "utf8"))).toMatchObject({ host: "another-machine" });
    await rm(lock);
    const unlockAgain = await lockFolder();
    await rm(lock);
    await unlockAgain();
    expect(await state()).toEqual([]);
  });

  it("is respected while its owner lives", async () => {
    for (const owner of [{}, { pid: process.ppid, processStartedAt: 0 }, { host: "another-machine" }]) {
      await ownedBy(owner);
      await updatedBefore(170_000);
      const { message } = await rejectionOf(InvalidArgumentError, lockFolder());
      expect(message).toContain("is in use by another export");
      expect(await state()).toEqual(["lock"]);
    }
  });

  it("is replaced if its owner has ended, or has been silent for three minutes on another machine", async () => {
    const earlier = { processStartedAt: processStart() - 60_000 };
    for (const owner of [{ pid: ENDED }, earlier, { host: "another-machine" }]) {
      await ownedBy(owner);
      await updatedBefore(190_000);
      const unlock = await lockFolder();
      expect(JSON.parse(await readFile(lock, "utf8"))).toMatchObject({ pid: process.pid, host: hostname() });
      expect(await state()).toEqual(["lock"]);
      await unlock();
    }
  });

  it("is replaced if a process has the id of its owner, but its last update is three minutes ago", async () => {
    for (const owner of [{}, { pid: process.ppid }]) {
      await ownedBy(owner);
      await updatedBefore(181_000);
      expect(await start()).toMatchObject({ meetings: 3, missing: [] });
    }
  });

  it.each(["another export has taken it", "another export has taken it and ended", "it was deleted"])(
    "ends the export that had it, before it writes again, if %s",
    async (what) => {
      const { service } = account(meetings(3));
      let contents: [path: string, content: string][] = [];
      const onRequest = async (url: string) => {
        if (!url.includes("mtg_00001/transcript")) return;
        // This process was suspended for three minutes.
        await updatedBefore(181_000);
        if (what === "it was deleted") await rm(lock);
        else {
          const unlock = await lockFolder();
          if (what.endsWith("ended")) await unlock();
        }
        contents = await wholeFiles();
      };
      const fetch: typeof service.fetch = async (...args) => {
        await onRequest(String(args[0]));
        return service.fetch(...args);
      };
      const run = exportMeetings(clientOf(service, { fetch }), { into: folder, concurrency: 1, ...UNLIMITED });
      const { message } = await rejectionOf(InvalidArgumentError, run);
      expect(message).toContain(`${folder} is not locked by this export any more`);
      expect(await wholeFiles()).toEqual(contents);
    },
  );

  it("is replaced after its process was killed", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    await once(child, "spawn");
    await ownedBy({ pid: child.pid });
    await expect(start()).rejects.toThrow(`process ${child.pid} on ${hostname()}`);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await start()).toMatchObject({ saved: 9, missing: [] });
  });

  it("is replaced even if an earlier replacement was killed half-way", async () => {
    await ownedBy({ pid: ENDED });
    await ownedBy({ pid: ENDED }, `${lock}.next`);
    await ownedBy({ pid: ENDED }, `${lock}.next.next`);
    const unlock = await lockFolder();
    expect(await state()).toEqual(["lock"]);
    await unlock();
  });

  it("is replaced if it does not name an owner", async () => {
    const contents = ["", "{", "null", '{"pid":"1"}', '{"pid":-1,"host":"x","processStartedAt":0}'];
    // Each waits a moment, in case the owner is just being written, so all wait at the same time.
    const replaced = contents.map(async (content, index) => {
      const another = join(folder, `${index}`);
      await mkdir(join(another, ".notetaker-export"), { recursive: true });
      await writeFile(join(another, ".notetaker-export", "lock"), content);
      await (await folderSink(another).lock())();
      expect(await readdir(join(another, ".notetaker-export"))).toEqual([]);
    });
    await Promise.all(replaced);
    const victim = join(folder, "victim");
    await writeFile(victim, "untouched");
    await symlink(victim, lock);
    await (await lockFolder())();
    expect(await readFile(victim, "utf8")).toBe("untouched");
    expect(await state()).toEqual([]);
  });

  it("is replaced by only one of several exports at the same time", async () => {
    for (let round = 0; round < 20; round += 1) {
      await ownedBy({ pid: ENDED });
      const attempts = await Promise.allSettled(Array.from({ length: 8 }, lockFolder));
      const locked = attempts.filter((attempt) => attempt.status === "fulfilled");
      expect(locked).toHaveLength(1);
      expect(await state()).toEqual(["lock"]);
      await locked[0]?.value();
    }
  });

  it.each(["EACCES", "EIO"] as const)("is not replaced if it cannot be read: %s", async (code) => {
    await ownedBy({ pid: process.ppid });
    const content = await readFile(lock, "utf8");
    for (let at = 1; ; at += 1) {
      let error: unknown;
      let failed: string | undefined;
      {
        using disk = failingFiles(lock, code, at);
        error = await rejection(lockFolder());
        failed = disk.failed;
      }
      expect(await readFile(lock, "utf8")).toBe(content);
      expect(String(error)).toContain(lock);
      if (failed === undefined) break;
    }
  });
});
