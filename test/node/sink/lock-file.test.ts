/** The content of a folder's lock, how its owner shows that it is alive, and whose lock is respected. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { InvalidArgumentError } from "notetaker-sdk";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { lockFolder } from "../../../src/node/sink/folder-lock.js";
import { pathInFolder } from "../../../src/node/sink/folder-path.js";
import { rejectionOf } from "../../support/recorder.js";

let folder = "";
let lock = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-file-"));
  lock = join(folder, ".notetaker-export", "lock");
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

const state = () => readdir(join(folder, ".notetaker-export"));
const startedAt = () => Math.round(Date.now() - process.uptime() * 1000);
const mine = () => ({ token: "other", pid: process.pid, host: hostname(), processStartedAt: startedAt() });
async function ownedBy(owner: object) {
  await mkdir(join(folder, ".notetaker-export"), { recursive: true });
  await writeFile(lock, JSON.stringify(owner));
}
const refusal = () => rejectionOf(InvalidArgumentError, lockFolder(folder));

describe("the lock of a folder", () => {
  it("names its owner, and is the only file until it is released", async () => {
    const unlock = await lockFolder(folder);
    const owner = JSON.parse(await readFile(lock, "utf8"));
    expect(owner).toEqual({ ...mine(), token: expect.any(String), processStartedAt: expect.any(Number) });
    expect(Math.abs(owner.processStartedAt - startedAt())).toBeLessThan(2_000);
    expect(await state()).toEqual(["lock"]);
    await unlock();
    expect(await state()).toEqual([]);
  });

  it("refuses a second export with the owner and what to do", async () => {
    const unlock = await lockFolder(folder);
    const { issues } = await refusal();
    const who = `process ${process.pid} on ${hostname()}`;
    const wayOut = `wait for it to end, or delete ${lock} if it is gone`;
    const message = `${folder} is in use by another export (${who}); ${wayOut}`;
    expect(issues).toEqual([{ path: "into", message }]);
    expect(await state()).toEqual(["lock"]);
    await unlock();
    await (await lockFolder(folder))();
  });

  it("is updated every 30 seconds while it is held", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const unlock = await lockFolder(folder);
    const longAgo = new Date(Date.now() - 600_000);
    await utimes(lock, longAgo, longAgo);
    vi.advanceTimersByTime(29_999);
    expect((await stat(lock)).mtimeMs).toBeLessThan(Date.now() - 500_000);
    vi.advanceTimersByTime(1);
    await vi.waitFor(async () => expect((await stat(lock)).mtimeMs).toBeGreaterThan(Date.now() - 60_000));
    await unlock();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is not deleted by its former owner if another process has replaced it", async () => {
    const unlock = await lockFolder(folder);
    await ownedBy({ ...mine(), token: "another" });
    await unlock();
    expect(JSON.parse(await readFile(lock, "utf8")).token).toBe("another");
  });

  it("may already be missing when its owner releases it", async () => {
    const unlock = await lockFolder(folder);
    await rm(lock);
    await unlock();
    expect(await state()).toEqual([]);
  });
});

describe("an existing lock of a folder", () => {
  it.each<[string, () => object]>([
    ["it belongs to another export of this process", mine],
    ["it belongs to a living process", () => ({ ...mine(), pid: process.ppid, processStartedAt: 0 })],
    ["it belongs to a process on another machine", () => ({ ...mine(), pid: 1, host: "another-machine" })],
  ])("is respected if %s", async (_, owner) => {
    await ownedBy(owner());
    expect((await refusal()).message).toContain("is in use by another export");
    expect(JSON.parse(await readFile(lock, "utf8"))).toEqual(expect.objectContaining({ token: "other" }));
    expect(await state()).toEqual(["lock"]);
  });

  it.each<[string, () => object | null]>([
    [
      "it belongs to an earlier process with the same id",
      () => ({ ...mine(), processStartedAt: startedAt() - 60_000 }),
    ],
    ["it belongs to a process id that cannot exist", () => ({ ...mine(), pid: 2 ** 30 })],
    ["it names no owner", () => ({ pid: 1 })],
    ["it is empty", () => null],
  ])("is replaced if %s", async (_, owner) => {
    await ownedBy(owner() ?? {});
    const unlock = await lockFolder(folder);
    expect(JSON.parse(await readFile(lock, "utf8")).pid).toBe(process.pid);
    expect(await state()).toEqual(["lock"]);
    await unlock();
  });

  it.each([
    [170_000, true],
    [190_000, false],
  ])("on another machine that was not updated for %i ms is respected: %s", async (silentMs, isRespected) => {
    await ownedBy({ ...mine(), host: "another-machine" });
    const then = new Date(Date.now() - silentMs);
    await utimes(lock, then, then);
    if (isRespected) expect((await refusal()).message).toContain("on another-machine");
    else await (await lockFolder(folder))();
  });

  it("is replaced if it is a link or a folder, and the target is not touched", async () => {
    const victim = join(folder, "victim");
    await writeFile(victim, JSON.stringify(mine()));
    await mkdir(join(folder, ".notetaker-export"));
    await symlink(victim, lock);
    await (await lockFolder(folder))();
    expect(JSON.parse(await readFile(victim, "utf8")).token).toBe("other");
    await mkdir(join(lock, "inside"), { recursive: true });
    await (await lockFolder(folder))();
    expect(await state()).toEqual([]);
  });
});

describe("a path inside the folder", () => {
  it.each(["", "/a", "a/", "a//b", ".", "..", "./a", "a/./b", "a/..", "../a", "a\\b", "C:a", "a\0b"])(
    "is refused if it is %j",
    async (path) => {
      const { issues } = await rejectionOf(InvalidArgumentError, pathInFolder(folder, path));
      const message = "expected a relative path with parts separated by /, without . and ..";
      expect(issues).toEqual([{ path, message }]);
    },
  );

  it("may contain dots in its names, and creates folders only on request", async () => {
    expect(await pathInFolder(folder, "a/.b/..c/d.e")).toBe(join(folder, "a", ".b", "..c", "d.e"));
    expect(await readdir(folder)).toEqual([]);
    await pathInFolder(folder, "a/b/c", { create: true });
    expect(await readdir(join(folder, "a"))).toEqual(["b"]);
    expect(await readdir(join(folder, "a", "b"))).toEqual([]);
  });

  it("is refused if it goes through a link", async () => {
    await mkdir(join(folder, "real"));
    await symlink(join(folder, "real"), join(folder, "link"));
    const { message } = await rejectionOf(InvalidArgumentError, pathInFolder(folder, "link/a"));
    expect(message).toBe(`folderSink: link/a: ${join(folder, "link")} is a symbolic link, and is not followed`);
    expect(await pathInFolder(folder, "link")).toBe(join(folder, "link"));
  });
});
