/** A lock file that names its owner, so that two exports never write into one folder at the same time. */
import { randomUUID } from "node:crypto";
import { link, open, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import * as z from "zod/mini";
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { parseJson } from "../../json/parse-json.js";
import { namedFailure } from "../files/named-failure.js";
import { isLink, pathInFolder } from "./folder-path.js";
import { STATE_FOLDER } from "./sink.js";

/** How often the owner updates the file's time, to show that it is alive. */
const HEARTBEAT_MS = 30_000;
/** An owner on another machine counts as dead if it has not updated the file's time for this long. */
const SILENT_MS = 180_000;

const ownerSchema = z.object({
  /** A random text, different for each export. */
  token: z.string(),
  pid: z.number().check(z.int(), z.positive()),
  host: z.string(),
  /** When the process started, in milliseconds since 1970. The operating system may use a process id again. */
  processStartedAt: z.number(),
});
type Owner = z.infer<typeof ownerSchema>;

/** A set of tokens of this process's locks. All loaded copies of the package share it. */
function sharedTokens(name: string): Set<string> {
  const key = Symbol.for(name);
  const shared = globalThis as { [key]?: Set<string> };
  shared[key] ??= new Set();
  return shared[key];
}

const heldTokens = () => sharedTokens("notetaker-sdk.export-locks");
/** The tokens of locks whose exports have ended, but whose files could not be deleted. */
const releasedTokens = () => sharedTokens("notetaker-sdk.released-export-locks");

/** Locks `folder` for one export and resolves to a function that unlocks it. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = await pathInFolder(folder, `${STATE_FOLDER}/lock`, { create: true });
  const owner: Owner = {
    token: randomUUID(),
    pid: process.pid,
    host: hostname(),
    processStartedAt: Math.round(Date.now() - process.uptime() * 1000),
  };
  while (!(await createLock(path, owner))) await removeDeadLock(path, folder);
  heldTokens().add(owner.token);
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return async () => {
    clearInterval(heartbeat);
    heldTokens().delete(owner.token);
    releasedTokens().add(owner.token);
    if ((await readOwner(path))?.token !== owner.token) return;
    await rm(path, { force: true });
    releasedTokens().delete(owner.token);
  };
}

/** Creates the lock file. Returns `false` if a file with its name exists. */
async function createLock(path: string, owner: Owner): Promise<boolean> {
  // The complete file gets its name in one step, so that nobody reads an incomplete lock.
  const draft = `${path}.${owner.token}`;
  const file = await open(draft, "wx");
  try {
    await file.writeFile(JSON.stringify(owner));
    await file.close();
    await link(draft, path);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (WITHOUT_HARD_LINKS.has(code)) return createLockFile(path, owner);
    throw namedFailure(error, draft);
  } finally {
    await file.close().catch(() => {});
    await rm(draft, { force: true }).catch(() => {});
  }
}

/** The error codes of file systems without hard links, such as exFAT. */
const WITHOUT_HARD_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

async function createLockFile(path: string, owner: Owner): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(owner), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw namedFailure(error, path);
  }
}

/** Removes the lock of a dead owner. Throws if the owner is alive, or if the lock cannot be read. */
async function removeDeadLock(path: string, folder: string): Promise<void> {
  const found = await unlessGone(stat(path), path);
  const owner = await readOwner(path);
  const silentMs = Date.now() - (found?.mtimeMs ?? 0);
  if (found !== undefined && isAlive(owner, silentMs)) throw folderInUse(folder, path, owner);
  // Several processes may do this at the same time. One of them renames the dead lock; another may then rename a new
  // lock, and puts it back.
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  const isDead = await readOwner(aside).then(
    (renamed) => renamed === undefined || renamed.token === owner?.token,
    () => false,
  );
  if (!isDead) await link(aside, path).catch(() => {});
  await rm(aside, { recursive: true, force: true });
}

/** The owner that the lock names; `undefined` if there is no lock, or the file is not a lock. */
async function readOwner(path: string): Promise<Owner | undefined> {
  if (await isLink(path)) return undefined;
  const text = await unlessGone(readFile(path, "utf8"), path);
  return text === undefined ? undefined : z.safeParse(ownerSchema, parseJson(text)).data;
}

/**
 * `undefined` if there is no file at `path`. Any other failure is thrown, because the lock may belong to a running
 * process.
 */
async function unlessGone<T>(reading: Promise<T>, path: string): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EISDIR") return undefined;
    throw namedFailure(error, path);
  }
}

function isAlive(owner: Owner | undefined, silentMs: number): boolean {
  if (owner === undefined) return false;
  if (owner.host !== hostname()) return silentMs < SILENT_MS;
  if (owner.pid === process.pid) {
    return heldTokens().has(owner.token) || (hasStartedWith(owner) && !releasedTokens().has(owner.token));
  }
  try {
    process.kill(owner.pid, 0);
    return true;
  } catch (error) {
    // The process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Whether this process wrote the lock, perhaps in another worker thread, which has its own set of tokens. The process
 * id alone proves nothing: after a restart, mostly in a container, a dead process may have had the same id.
 */
const hasStartedWith = ({ processStartedAt }: Owner) =>
  Math.abs(Date.now() - process.uptime() * 1000 - processStartedAt) < 2_000;

function folderInUse(folder: string, path: string, owner: Owner | undefined): InvalidArgumentError {
  const who = owner === undefined ? "another process" : `process ${owner.pid} on ${owner.host}`;
  const message = `${folder} is in use by another export (${who}); wait for it to end, or delete ${path} if it is gone`;
  return new InvalidArgumentError("exportMeetings", [{ path: "into", message }]);
}
