/**
 * An error of the system with the path, which is missing in errors about open files: "ENOSPC: no space left on device,
 * write" becomes "ENOSPC: no space left on device, write '/exports/a.md'". Anything else is returned as it is.
 */
export function namedFailure(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errno, syscall, path: named } = error as NodeJS.ErrnoException;
  // Failures of connections have a syscall, too: those are not about a file.
  if (named !== undefined || syscall === undefined || !FILE_SYSCALLS.has(syscall)) return error;
  const failure = new Error(`${error.message} '${path}'`, { cause: error });
  return Object.assign(failure, { code, errno, syscall, path });
}

const FILE_SYSCALLS: ReadonlySet<string> = new Set(["read", "write", "fsync", "ftruncate", "fchmod", "close"]);
