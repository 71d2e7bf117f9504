/**
 * Slows an upload down at its start, so that an early response is not lost. A service may answer (401, 413, 429) while
 * the body is still being sent, and close the connection. If Node's `fetch` (undici) writes again before it has read
 * that response, the write fails and ends the request, and the response is lost. So the body is sent slowly at first,
 * while such a response is most likely. Later, only two turns of the event loop pass between writes, in which the
 * response can be read.
 */
import { pause } from "../../async/timers.js";

const FIRST_WAIT_MS = 25;
/** Until this many bytes are sent, there is a short wait after each chunk. */
const PACED_BYTES = 2 * 1024 * 1024;
const CHUNK_WAIT_MS = 1;
/** The turns of the event loop between two later chunks, without a timer. */
const LATER_TURNS = 2;

interface NodeGlobals {
  readonly process?: { readonly versions?: { readonly undici?: string } };
  readonly setImmediate?: (callback: () => void) => void;
}

const nodeGlobals = () => globalThis as NodeGlobals;

/** Only Node's own `fetch` needs the pacing. */
export const needsPacing = (): boolean => nodeGlobals().process?.versions?.undici !== undefined;

/** Waits before the next chunk. Rejects with the reason of `signal` as soon as it aborts. */
export async function waitForEarlyResponse(isFirst: boolean, sentBytes: number, signal: AbortSignal): Promise<void> {
  if (isFirst) return pause(FIRST_WAIT_MS, signal);
  if (sentBytes <= PACED_BYTES) return pause(CHUNK_WAIT_MS, signal);
  for (let turn = 0; turn < LATER_TURNS; turn += 1) await nextTurn();
}

function nextTurn(): Promise<void> {
  const { setImmediate } = nodeGlobals();
  return new Promise((resolve) => (setImmediate === undefined ? resolve() : setImmediate(resolve)));
}
