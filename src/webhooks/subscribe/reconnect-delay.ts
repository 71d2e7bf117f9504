/** How long to wait before connecting again. */
import { LONGEST_WAIT } from "../check-options.js";

const MAX_MS = 30_000;

/**
 * The server's own time after a connection that worked, doubled for each one since that did not, up to half a minute;
 * and up to half as long again, so that readers who lost one server do not come back in one crowd.
 *
 * @param failures - Connections in a row that brought nothing.
 * @param retryMs - What the server asked for, at least.
 */
export function reconnectDelay(failures: number, retryMs: number, random = Math.random()): number {
  const floor = failures === 0 ? retryMs : Math.max(retryMs, 100);
  const grown = Math.max(floor, Math.min(MAX_MS, floor * 2 ** failures));
  return Math.min(LONGEST_WAIT, Math.floor(grown * (1 + random / 2)));
}

/** Waits, until the signal aborts at the most. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, signal.aborted ? 0 : ms);
    signal.onabort = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
