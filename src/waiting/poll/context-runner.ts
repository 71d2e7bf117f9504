/** Runs work in one fixed async context, regardless of the caller's. */

/** Runs asynchronous work in an async context of its choice. */
export type RunInContext = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Work that `run` starts has the async context (`AsyncLocalStorage`) in which the runner was constructed, not that of
 * the caller of `run`. A request that several callers share must not carry the context of one of them. After an
 * `await`, code continues in the context of the function that awaits. So one loop, which the constructor starts, runs
 * all work. This works in every runtime, and without a timer.
 */
export class ContextRunner {
  #work: (() => void)[] = [];
  #start: () => void = () => {};

  constructor() {
    void this.#loop();
  }

  readonly run: RunInContext = (work) =>
    new Promise((resolve, reject) => {
      this.#work.push(() => void work().then(resolve, reject));
      this.#start();
    });

  async #loop(): Promise<never> {
    for (;;) {
      await new Promise<void>((resolve) => {
        this.#start = resolve;
        if (this.#work.length > 0) resolve();
      });
      for (const start of this.#work.splice(0)) start();
    }
  }
}
