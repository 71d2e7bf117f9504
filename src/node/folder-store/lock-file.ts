/** The lock of the folder: a file that names the process which may write, and that this process renews. */
import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { open, rename, rm, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import * as z from "zod/mini";
import { pause, renewEvery } from "../../async/timers.js";
import { orUndefined } from "../../json/or-undefined.js";
import { parseJson } from "../../json/parse-json.js";
import type { HeldStore } from "../../sync/store.js";
import { entryAt, isRegularFile } from "../files/paths.js";
import { namedFailure, whileBusy } from "../files/replace-file.js";

const RENEWAL_MS = 30_000;
/** A lock that was not renewed for this long is free, wherever its process may be. */
const LEASE_MS = 180_000;
/** Within this time after a look at the lock, no other process can have taken it over. */
const CHECKED_FOR_MS = 10_000;
/** A lock without a readable holder or a recent time may just be written by a living process. After this time, it is not. */
const WRITING_MS = 1_000;

/** The locks of this process that have ended, and that the disk did not delete. */
const undeleted = new Set<string>();

export interface FileLock {
  /**
   * Whether the lock is still held: another process may have taken it while this one was suspended. Looks at the file, but
   * not again within ten seconds unless `isFresh`.
   */
  isHeld(isFresh?: boolean): Promise<boolean>;
  release(): Promise<void>;
}

export async function lockFile(path: string): Promise<FileLock | HeldStore> {
  const text = JSON.stringify({ ...thisProcess(), run: randomUUID() });
  const heldUntil = await acquire(path, text);
  if (heldUntil !== undefined) return { heldUntil };
  const isOwn = () => readLock(path) === text;
  const renew = async () => {
    const now = new Date();
    if (isOwn()) await utimes(path, now, now);
  };
  const stopRenewing = renewEvery(RENEWAL_MS, () => void renew().catch(() => {}));
  let checkedMs = Date.now();
  return {
    async isHeld(isFresh = false) {
      const nowMs = Date.now();
      // After a suspension, much time has passed. The clock may also have been set back.
      if (!isFresh && Math.abs(nowMs - checkedMs) < CHECKED_FOR_MS) return true;
      const isHeld = isOwn();
      if (isHeld) checkedMs = nowMs;
      return isHeld;
    },
    async release() {
      checkedMs = Number.NEGATIVE_INFINITY;
      stopRenewing();
      undeleted.add(text);
      if (isOwn()) await whileBusy(() => rm(path, { force: true }));
      undeleted.delete(text);
    },
  };
}

/**
 * Creates the lock, or replaces that of a process that has ended. Only the process that holds a second lock, that of the
 * replacement, may replace the first: so two processes never do it at the same time. Resolves to until when another one
 * has it, if it does.
 */
async function acquire(path: string, text: string): Promise<Date | undefined> {
  while (!(await create(path, text))) {
    const state = await stateOf(path);
    if (typeof state === "object") return state;
    if (state === "none") continue;
    const replacement = `${path}.next`;
    const heldUntil = await acquire(replacement, text);
    if (heldUntil !== undefined) return heldUntil;
    try {
      if ((await stateOf(path)) === "left") {
        await whileBusy(() => rename(replacement, path));
        return undefined;
      }
      await rm(replacement, { force: true });
    } catch (error) {
      await rm(replacement, { force: true }).catch(() => {});
      throw error;
    }
  }
  return undefined;
}

/** Creates the file. Returns `false` if there is one. */
async function create(path: string, text: string): Promise<boolean> {
  const file = await open(path, "wx").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") return undefined;
    throw error;
  });
  if (file === undefined) return false;
  try {
    await file.writeFile(text);
    // By the clock of this machine, as each renewal: a file server may have another time.
    const now = new Date();
    await file.utimes(now, now).catch(() => {});
    await file.close();
    return true;
  } catch (error) {
    await file.close().catch(() => {});
    await rm(path, { force: true }).catch(() => {});
    throw namedFailure(error, path);
  }
}

/** Until when the lock is held, `left` if its process has ended, or `none` if there is no lock any more. */
async function stateOf(path: string, isSecondLook = false): Promise<Date | "left" | "none"> {
  const text = readLock(path);
  if (text === undefined) return "none";
  const { data: holder } = z.safeParse(holderSchema, parseJson(text));
  if (holder !== undefined) {
    if (undeleted.has(text) || hasEnded(holder)) return "left";
    const renewedMs = entryAt(path)?.mtime.getTime() ?? Number.NaN;
    // A time far ahead was written before the clock was set back.
    if (Math.abs(Date.now() - renewedMs) < LEASE_MS) return new Date(renewedMs + LEASE_MS);
  }
  if (isSecondLook) return "left";
  await pause(WRITING_MS);
  return stateOf(path, true);
}

/**
 * The content of the lock; `undefined` if there is none, and "" if it is a link, which is not followed. Any failure is
 * thrown, because the lock may belong to a running process. Synchronous: each write looks at it, and a small file is read
 * in a tenth of the CPU.
 */
function readLock(path: string): string | undefined {
  try {
    const found = entryAt(path);
    if (found === undefined) return undefined;
    return isRegularFile("folderStore", path, found) ? readFileSync(path, "utf8") : "";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw namedFailure(error, path);
  }
}

const holderSchema = z.object({
  pid: z.number().check(z.int(), z.positive()),
  host: z.string(),
  /** When the process started, in milliseconds since 1970: the operating system may use a process id again. */
  processStartedAt: z.number(),
  /** On Linux, the namespace of the process id, which differs between containers. */
  pidNamespace: z.nullable(z.string()),
});

/** Read once: by a clock that is set later, or after a suspension, this process would have started at another time. */
const PROCESS_START = Math.round(Date.now() - process.uptime() * 1000);

const thisProcess = (): z.output<typeof holderSchema> => ({
  pid: process.pid,
  host: hostname(),
  processStartedAt: PROCESS_START,
  pidNamespace: orUndefined(() => readlinkSync("/proc/self/ns/pid")) ?? null,
});

/** Whether the process has ended for certain. Of one on another machine or in another container this is not known. */
function hasEnded({ pid, host, processStartedAt, pidNamespace }: z.output<typeof holderSchema>): boolean {
  const own = thisProcess();
  // Without `/proc`, no container can be told from another.
  const isUnknown = pidNamespace === null && process.platform === "linux";
  if (host !== own.host || pidNamespace !== own.pidNamespace || isUnknown) return false;
  // After a restart, mostly in a container, an ended process may have had the id of this one.
  if (pid === process.pid) return Math.abs(own.processStartedAt - processStartedAt) > 2_000;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // With EPERM, the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
