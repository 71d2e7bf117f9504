/** The lease of a run, `.notetaker/lock`: who holds the folder, and until when, unless the run renews it. */
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { type FolderFiles, jsonBytes } from "./folder-files.js";
import { mayRun, ownerShape, SILENT_MS, thisProcess } from "./lock-owner.js";

const LEASE = ".notetaker/lock";

const leaseSchema = z.object({ ...ownerShape, run: z.string(), heldUntil: z.string() });
type LeaseFile = z.infer<typeof leaseSchema>;

type Check = () => Promise<void>;

/** The runs of this process that have ended, and whose lease the disk did not delete. */
const ended = new Set<string>();

const readLease = async (files: FolderFiles): Promise<LeaseFile | undefined> =>
  z.safeParse(leaseSchema, await files.readJson(LEASE)).data;

/** Until when another run holds the folder; `undefined` if none does. */
export async function heldUntil(files: FolderFiles): Promise<Date | undefined> {
  const lease = await readLease(files);
  if (lease === undefined || ended.has(lease.run) || !mayRun(lease)) return undefined;
  const remainingMs = Date.parse(lease.heldUntil) - Date.now();
  // The clocks of two machines may differ. An end far ahead was written before the clock was set back.
  return remainingMs > 0 && remainingMs <= 2 * SILENT_MS ? new Date(lease.heldUntil) : undefined;
}

export const newRun = (): string => randomUUID();

export async function isHeldBy(files: FolderFiles, run: string): Promise<boolean> {
  return (await readLease(files))?.run === run;
}

/** Holds the folder from now on, for three minutes. */
export async function writeLease(files: FolderFiles, run: string, check: Check): Promise<void> {
  const lease: LeaseFile = { ...thisProcess(), run, heldUntil: new Date(Date.now() + SILENT_MS).toISOString() };
  await files.write(LEASE, [jsonBytes(lease)], check);
}

export async function deleteLease(files: FolderFiles, run: string, check: Check): Promise<void> {
  ended.add(run);
  if (await isHeldBy(files, run)) await files.delete(LEASE, check);
  ended.delete(run);
}
