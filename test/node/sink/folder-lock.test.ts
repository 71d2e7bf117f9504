/** Two exports never write into the same folder at the same time. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { InvalidArgumentError } from "notetaker-sdk";
import { exportMeetings, folderSink } from "notetaker-sdk/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failingFiles } from "../../../scripts/kill/failing-files.js";
import { rejection } from "../../support/recorder.js";
import { account, clientOf, emulatedClock, meetings } from "../export/export-support.js";

let folder = "";
let lock = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"));
  lock = join(folder, ".notetaker-export", "lock");
  await mkdir(join(folder, ".notetaker-export"));
});
afterEach(() => rm(folder, { recursive: true }));

const start = () => {
  const { service } = account(meetings(3));
  return exportMeetings(clientOf(service), { into: folder, clock: emulatedClock(service) });
};

const ownedBy = (owner: object) =>
  writeFile(lock, JSON.stringify({ token: "other", host: hostname(), processStartedAt: 0, ...owner }));

describe("two exports into one folder", () => {
  it("do not run at the same time: one is refused, the other completes as if alone", async () => {
    const { service } = account(meetings(3));
    const into = { into: folder, clock: emulatedClock(service) };
    // Which of the two gets the lock first depends on the file system.
    const results = await Promise.allSettled([1, 2].map(() => exportMeetings(clientOf(service), into)));
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused).toHaveLength(1);
    expect(refused[0]?.reason).toBeInstanceOf(InvalidArgumentError);
    expect(String(refused[0]?.reason)).toContain(`${folder} is in use by another export (process ${process.pid} on `);
    const ended = results.find((result) => result.status === "fulfilled");
    expect(ended?.value).toMatchObject({ saved: 9, missing: [] });
    expect(await readdir(join(folder, ".notetaker-export"))).not.toContain("lock");
  });

  it("are refused if both use a sink of the same folder", async () => {
    const unlock = await folderSink(folder).lock();
    await expect(start()).rejects.toThrow("is in use");
    await unlock();
    expect(await start()).toMatchObject({ saved: 9 });
  });

  it("can run one after the other, even after a failure", async () => {
    const { service } = account(meetings(3));
    service.faults.next("GET /meetings", { status: 401 });
    const into = { into: folder, clock: emulatedClock(service) };
    await expect(exportMeetings(clientOf(service), into)).rejects.toThrow();
    expect(await exportMeetings(clientOf(service), into)).toMatchObject({ saved: 9 });
  });
});

describe("a folder's lock of another process", () => {
  it("is respected while that process lives, and replaced after it was killed", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    await once(child, "spawn");
    await ownedBy({ pid: child.pid });
    await expect(start()).rejects.toThrow(`process ${child.pid} on ${hostname()}`);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await start()).toMatchObject({ saved: 9, missing: [] });
  });

  it("is replaced if an earlier process had the id of this process", async () => {
    await ownedBy({ pid: process.pid });
    expect(await start()).toMatchObject({ saved: 9 });
  });

  it("is respected for three minutes after its last update if it belongs to another machine", async () => {
    await ownedBy({ pid: 1, host: "another-machine" });
    await expect(start()).rejects.toThrow("process 1 on another-machine");
    const longAgo = new Date(Date.now() - 181_000);
    await utimes(lock, longAgo, longAgo);
    expect(await start()).toMatchObject({ saved: 9 });
  });

  it.each(["", "{", "null", "5", '{"pid":"1"}', '{"pid":-1,"host":"x","token":"","processStartedAt":0}'])(
    "is replaced if its content is %j",
    async (content) => {
      await writeFile(lock, content);
      expect(await start()).toMatchObject({ saved: 9 });
    },
  );

  it.each(["EACCES", "EIO"] as const)("is not replaced if it cannot be read: %s", async (code) => {
    await ownedBy({ pid: process.ppid });
    const content = await readFile(lock, "utf8");
    for (let at = 1; ; at += 1) {
      let error: unknown;
      let failed: string | undefined;
      {
        using disk = failingFiles(lock, code, at);
        error = await rejection(folderSink(folder).lock());
        failed = disk.failed;
      }
      expect(await readFile(lock, "utf8")).toBe(content);
      expect(String(error)).toContain(lock);
      if (failed === undefined) break;
    }
  });

  it("is replaced by only one of several exports at the same time", async () => {
    const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
    await once(child, "exit");
    await ownedBy({ pid: child.pid });
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => folderSink(folder).lock()));
    const locked = attempts.filter(({ status }) => status === "fulfilled");
    expect(locked).toHaveLength(1);
    expect(JSON.parse(await readFile(lock, "utf8"))).toMatchObject({ pid: process.pid });
    for (const attempt of locked) if (attempt.status === "fulfilled") await attempt.value();
    expect(await readdir(join(folder, ".notetaker-export"))).toEqual([]);
  });
});
