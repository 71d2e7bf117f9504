/** A command that was started in the background ends with the process that started it: `npx … & kill $!`. */
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

/** Whether the parent is still there. Windows keeps the id of a parent that has ended. */
function isParent(pid: number): boolean {
  if (process.platform !== "win32") return process.ppid === pid;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** npm and npx may start a command through a shell that outlives them: the process behind it. Linux only. */
function starterBehindShell(parent: number): number | undefined {
  if (process.env.npm_execpath === undefined) return undefined;
  const shell = processStatus(parent);
  return shell !== undefined && /^(ba|da)?sh$/.test(shell.name) && shell.parent > 1 ? shell.parent : undefined;
}

/** A process that has ended stays as a zombie (`Z`) until its parent asks for its exit code. */
function isRunning(pid: number): boolean {
  const status = processStatus(pid);
  return status !== undefined && status.state !== "Z";
}

/** Linux's record of a process: `123 (name) S 1 …`. */
function processStatus(pid: number): { name: string; state: string; parent: number } | undefined {
  try {
    const record = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, name = "", state = "", parent = ""] = /\((.*)\) (\S) (\d+)/s.exec(record) ?? [];
    return { name, state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
