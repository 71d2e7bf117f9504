/** How long to wait before connecting again. */

const MAX_MS = 30_000;

/** The longest wait that a timer can do: a longer one would fire at once. */
const LONGEST = 2_147_483_647;

/**
 * The server's own time after a connection that worked, doubled for each one since that did not, up to half a minute;
 * and up to half as long again, so that readers who lost one server do not come back in one crowd.
 *
 * @param failures - Connections in a row that brought nothing.
 * @param retryMs - What the server asked for, at least.
 */
export function reconnectDelay(failures: number, retryMs: number, random = Math.random()): number {
  const floor = failures === 0 ? retryMs : Math.max(retryMs, 100);
  const grown = Math.max(floor, Math.min(MAX_MS, floor * 2 ** Math.min(failures, 20)));
  return Math.min(LONGEST, Math.floor(grown * (1 + random / 2)));
}

/** Waits, unless the signal aborts: then it resolves at once. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
