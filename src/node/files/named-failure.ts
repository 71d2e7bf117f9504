/**
 * Adds the path to a system error. Errors about open files lack it: "ENOSPC: no space left on device, write" becomes
 * "ENOSPC: no space left on device, write '/exports/a.md'". Any other error is returned unchanged.
 */
export function namedFailure(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errno, syscall, path: named } = error as NodeJS.ErrnoException;
  // Errors of connections have a syscall, too, but are not about a file.
  if (named !== undefined || syscall === undefined || !FILE_SYSCALLS.has(syscall)) return error;
  const failure = new Error(`${error.message} '${path}'`, { cause: error });
  return Object.assign(failure, { code, errno, syscall, path });
}

const FILE_SYSCALLS: ReadonlySet<string> = new Set(["read", "write", "fsync", "ftruncate", "fchmod", "close"]);
