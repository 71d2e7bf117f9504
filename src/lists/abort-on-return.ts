/** A loop over a generator that ends as soon as it is left, even while it waits for the next item. */
import { newAbortController } from "../async/abort.js";
import { isRecord } from "../json/is-record.js";

const CODE = "WALK_ENDED";

/** Whether a request was cancelled because its loop was left. By its code: each entry point may have a copy of this. */
export const isWalkEnded = (reason: unknown): boolean => isRecord(reason) && reason.code === CODE;

/** `return()` of a generator waits for a running `next()`. So it first aborts what the items wait for. */
export function abortOnReturn<T>(
  start: (controller: AbortController) => AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  const controller = newAbortController();
  const left = Object.assign(new Error("The walk has ended"), { name: "AbortError", code: CODE });
  async function* items(): AsyncGenerator<T, void, undefined> {
    try {
      yield* start(controller);
    } catch (error) {
      if (error !== left) throw error;
    }
  }
  const generator = items();
  const end = generator.return.bind(generator);
  return Object.assign(generator, {
    return() {
      controller.abort(left);
      return end();
    },
  });
}
