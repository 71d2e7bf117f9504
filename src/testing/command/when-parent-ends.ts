/** Ends a command together with the process that started it, so that `npx … & kill $!` ends the command, too. */
import { readFileSync } from "node:fs";

const POLL_MS = 250;

/** Runs `end` when the process that started this one has ended. */
export function whenParentEnds(end: () => void): void {
  const parent = process.ppid;
  const starter = starterBehindShell(parent);
  const timer = setInterval(() => {
    if (isParent(parent) && (starter === undefined || isRunning(starter))) return;
    clearInterval(timer);
    end();
  }, POLL_MS);
  timer.unref();
}

/** Whether the parent is still running. On Windows, `process.ppid` does not change when the parent ends. */
function isParent(pid: number): boolean {
  if (process.platform !== "win32") return process.ppid === pid;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * The process that started the parent, if the parent is a shell. npm and npx may start a command through a shell that
 * keeps running after they end. Linux only.
 */
function starterBehindShell(parent: number): number | undefined {
  if (process.env.npm_execpath === undefined) return undefined;
  const shell = processStatus(parent);
  return shell !== undefined && /^(ba|da)?sh$/.test(shell.name) && shell.parent > 1 ? shell.parent : undefined;
}

/**
 * Whether the process is running. A process that has ended remains as a zombie (`Z`) until its parent reads its exit
 * code.
 */
function isRunning(pid: number): boolean {
  const status = processStatus(pid);
  return status !== undefined && status.state !== "Z";
}

/** Reads Linux's record of a process: `123 (name) S 1 …`. */
function processStatus(pid: number): { name: string; state: string; parent: number } | undefined {
  try {
    const record = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, name = "", state = "", parent = ""] = /\((.*)\) (\S) (\d+)/s.exec(record) ?? [];
    return { name, state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
