/** The process that holds a lock, as the lock names it. */
import { hostname } from "node:os";
import * as z from "zod/mini";

/** A lock is renewed this often. */
export const RENEWAL_MS = 30_000;
/**
 * A lock that was not renewed for this long has no owner any more: its process may be on another machine, and after a
 * restart another process may have its id.
 */
export const SILENT_MS = 180_000;

export const ownerSchema = z.object({
  pid: z.number().check(z.int(), z.positive()),
  host: z.string(),
  /** When the process started, in milliseconds since 1970. The operating system may use a process id again. */
  processStartedAt: z.number(),
});
type LockOwner = z.output<typeof ownerSchema>;

/** Read once: by a clock that is set later, or after a suspension, this process would have started at another time. */
const PROCESS_START = Math.round(Date.now() - process.uptime() * 1000);

export const thisProcess = (): LockOwner => ({ pid: process.pid, host: hostname(), processStartedAt: PROCESS_START });

/** Whether the process may still run. Of a process on another machine, or in another container, this is not known. */
export function mayRun({ pid, host, processStartedAt }: LockOwner): boolean {
  if (host !== hostname()) return true;
  // After a restart, mostly in a container, an ended process may have had the id of this one.
  if (pid === process.pid) return Math.abs(PROCESS_START - processStartedAt) < 2_000;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
