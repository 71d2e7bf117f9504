/** Settles like `step`. If that takes longer than `timeoutMs`, calls `onTimeout`, which must end the step. */
export async function withInactivityTimeout<T>(step: Promise<T>, timeoutMs: number, onTimeout: () => void): Promise<T> {
  const timer = setTimeout(onTimeout, timeoutMs);
  try {
    return await step;
  } finally {
    clearTimeout(timer);
  }
}
