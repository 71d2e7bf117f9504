/** A lock file that names its owner, so that two exports never write into one folder at the same time. */
import { randomUUID } from "node:crypto";
import { lstat, open, readFile, rename, rm, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import * as z from "zod/mini";
import { pause } from "../../async/timers.js";
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { parseJson } from "../../json/parse-json.js";
import { isRegularFile } from "../files/paths.js";
import { namedFailure } from "../files/replace-file.js";

/** How often the owner updates the file's time, to show that it is alive. */
const HEARTBEAT_MS = 30_000;
/**
 * An owner counts as ended if it has not updated the file's time for this long: its process may be on another machine,
 * and after a restart another process may have its id.
 */
const SILENT_MS = 180_000;
/** A lock without a readable owner may just be written by a living process. After this time, it is not. */
const WRITING_MS = 200;

const ownerSchema = z.object({
  pid: z.number().check(z.int(), z.positive()),
  host: z.string(),
  /** When the process started, in milliseconds since 1970. The operating system may use a process id again. */
  processStartedAt: z.number(),
});
type Owner = z.infer<typeof ownerSchema>;

const processStart = () => Math.round(Date.now() - process.uptime() * 1000);

/** The locks of ended exports of this process that the disk did not delete. */
const undeleted = new Set<string>();

export interface FolderLock {
  /** Throws if the lock is lost: another export may have taken it while this process was suspended. */
  check(): Promise<void>;
  unlock(): Promise<void>;
}

export async function lockPath(path: string, folder: string): Promise<FolderLock> {
  const owner: Owner = { pid: process.pid, host: hostname(), processStartedAt: processStart() };
  const text = JSON.stringify({ ...owner, run: randomUUID() });
  const isHeld = async () => (await readLock(path)) === text;
  await acquire(path, text, folder);
  undeleted.delete(path);
  const beat = async () => {
    const now = new Date();
    if (await isHeld()) await utimes(path, now, now);
  };
  const heartbeat = setInterval(() => void beat().catch(() => {}), HEARTBEAT_MS);
  heartbeat.unref();
  return {
    async check() {
      if (!(await isHeld())) throw lockLost(folder, path);
    },
    async unlock() {
      clearInterval(heartbeat);
      undeleted.add(path);
      if (await isHeld()) await rm(path, { force: true });
      undeleted.delete(path);
    },
  };
}

/**
 * Creates the lock, or replaces that of an owner that has ended. Only the process that holds a second lock, that of the
 * replacement, may replace the first: so two processes never do it at the same time.
 */
async function acquire(path: string, text: string, folder: string): Promise<void> {
  while (!(await create(path, text))) {
    if (!(await isLeft(path, folder))) continue;
    const replacement = `${path}.next`;
    await acquire(replacement, text, folder);
    try {
      if (await isLeft(path, folder)) return await rename(replacement, path);
      await rm(replacement, { force: true });
    } catch (error) {
      await rm(replacement, { force: true }).catch(() => {});
      throw error;
    }
  }
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
    await file.close();
    return true;
  } catch (error) {
    await file.close().catch(() => {});
    await rm(path, { force: true }).catch(() => {});
    throw namedFailure(error, path);
  }
}

/** Whether the owner of the lock has ended; `false` if there is no lock any more. Throws if the owner is alive. */
async function isLeft(path: string, folder: string): Promise<boolean> {
  let text = await readLock(path);
  if (text !== undefined && ownerIn(text) === undefined) {
    await pause(WRITING_MS);
    text = await readLock(path);
  }
  const owner = ownerIn(text);
  if (owner !== undefined && (await isAlive(owner, path))) throw folderInUse(folder, path, owner);
  return text !== undefined;
}

const ownerIn = (text = "") => z.safeParse(ownerSchema, parseJson(text)).data;

/**
 * The content of the lock; `undefined` if there is none, and "" if it is a link, which is not followed. Any failure is
 * thrown, because the lock may belong to a running process.
 */
async function readLock(path: string): Promise<string | undefined> {
  try {
    if (!(await isRegularFile("exportMeetings", path))) return (await lstat(path)) && "";
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw namedFailure(error, path);
  }
}

async function isAlive({ pid, host, processStartedAt }: Owner, path: string): Promise<boolean> {
  const { mtimeMs = 0 } = (await lstat(path).catch(() => undefined)) ?? {};
  if (Date.now() - mtimeMs >= SILENT_MS) return false;
  if (host !== hostname()) return true;
  // After a restart, mostly in a container, an ended process may have had the id of this one.
  if (pid === process.pid) return Math.abs(processStart() - processStartedAt) < 2_000 && !undeleted.has(path);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function folderInUse(folder: string, path: string, { pid, host }: Owner): InvalidArgumentError {
  const wayOut = `wait for it to end, or delete ${path} if it is gone`;
  const message = `${folder} is in use by another export (process ${pid} on ${host}); ${wayOut}`;
  return new InvalidArgumentError("exportMeetings", [{ path: "into", message }]);
}

function lockLost(folder: string, path: string): InvalidArgumentError {
  const message = `${folder} is not locked by this export any more: ${path} was deleted, or another export took it`;
  return new InvalidArgumentError("exportMeetings", [{ path: "into", message }]);
}
