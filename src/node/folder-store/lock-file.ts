/** A lock file that names its owner. It is held for a run, for a write, or while a recording is being saved. */
import { randomUUID } from "node:crypto";
import { lstat, open, readFile, rename, rm, utimes } from "node:fs/promises";
import * as z from "zod/mini";
import { pause, renewEvery } from "../../async/timers.js";
import { parseJson } from "../../json/parse-json.js";
import { isRegularFile } from "../files/paths.js";
import { namedFailure } from "../files/replace-file.js";
import { mayRun, ownerSchema, RENEWAL_MS, SILENT_MS, thisProcess } from "./lock-owner.js";

/** A lock without a readable owner or a recent time may just be written by a living process. After this time, it is not. */
const WRITING_MS = 1_000;

/** The locks of this process that have ended, and that the disk did not delete. */
const undeleted = new Set<string>();

export interface FileLock {
  /** Whether the lock is still held: another process may have taken it while this one was suspended. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/** Until when another one has the lock, unless it renews it. */
export interface HeldFile {
  readonly heldUntil: Date;
}

export async function lockFile(path: string): Promise<FileLock | HeldFile> {
  const text = JSON.stringify({ ...thisProcess(), run: randomUUID() });
  const isHeld = async () => (await readLock(path)) === text;
  const heldUntil = await acquire(path, text);
  if (heldUntil !== undefined) return { heldUntil };
  const renew = async () => {
    const now = new Date();
    if (await isHeld()) await utimes(path, now, now);
  };
  const stopRenewing = renewEvery(RENEWAL_MS, () => void renew().catch(() => {}));
  return {
    isHeld,
    async release() {
      stopRenewing();
      try {
        if (await isHeld()) await rm(path, { force: true });
      } catch (error) {
        undeleted.add(text);
        throw error;
      }
    },
  };
}

/**
 * Creates the lock, or replaces that of an owner that has ended. Only the process that holds a second lock, that of the
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
        await rename(replacement, path);
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

/** Until when the lock is held, `left` if its owner has ended, or `none` if there is no lock any more. */
async function stateOf(path: string): Promise<Date | "left" | "none"> {
  const state = await lookAt(path);
  if (state !== "unclear") return state;
  await pause(WRITING_MS);
  const later = await lookAt(path);
  return later === "unclear" ? "left" : later;
}

async function lookAt(path: string): Promise<Date | "left" | "none" | "unclear"> {
  const text = await readLock(path);
  if (text === undefined) return "none";
  const { data: owner } = z.safeParse(ownerSchema, parseJson(text));
  if (owner === undefined) return "unclear";
  if (undeleted.has(text) || !mayRun(owner)) return "left";
  const renewedMs = (await lstat(path).catch(() => undefined))?.mtime.getTime() ?? Number.NaN;
  // A time far ahead was written before the clock was set back.
  return Math.abs(Date.now() - renewedMs) < SILENT_MS ? new Date(renewedMs + SILENT_MS) : "unclear";
}

/**
 * The content of the lock; `undefined` if there is none, and "" if it is a link, which is not followed. Any failure is
 * thrown, because the lock may belong to a running process.
 */
async function readLock(path: string): Promise<string | undefined> {
  try {
    if (!(await isRegularFile("folderStore", path))) return (await lstat(path)) && "";
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw namedFailure(error, path);
  }
}
