/**
 * Slows an upload down at its start, so that an early response is not lost. A service may answer (401, 413, 429) while
 * the body is still being sent, and close the connection. If Node's `fetch` (undici) writes again before it has read
 * that response, the write fails and ends the request, and the response is lost. So the body is sent slowly at first,
 * while such a response is most likely. Later, only two turns of the event loop pass between writes, in which the
 * response can be read.
 */

/** The wait after the first chunk, in steps. */
const FIRST_WAIT_STEPS = 5;
const STEP_MS = 5;
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

export class EarlyResponsePacing {
  #sentChunks = 0;
  #stop: (() => void) | undefined;
  #isStopped = false;

  /** Waits before the next chunk. `onWait` is called at least every few milliseconds. */
  async wait(sentBytes: number, onWait: () => void): Promise<void> {
    this.#sentChunks += 1;
    if (this.#sentChunks === 1) {
      for (let step = 0; step < FIRST_WAIT_STEPS && !this.#isStopped; step += 1) {
        await this.#sleep(STEP_MS);
        if (!this.#isStopped) onWait();
      }
    } else if (sentBytes <= PACED_BYTES) {
      await this.#sleep(CHUNK_WAIT_MS);
    } else {
      for (let turn = 0; turn < LATER_TURNS; turn += 1) await nextTurn();
    }
  }

  /** Ends the current wait. Further waits end at once. */
  stop(): void {
    this.#isStopped = true;
    this.#stop?.();
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#isStopped) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#stop = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function nextTurn(): Promise<void> {
  const { setImmediate } = nodeGlobals();
  return new Promise((resolve) => (setImmediate === undefined ? resolve() : setImmediate(resolve)));
}
