/** Runs work in one async context, whoever asks for it. */

/** Runs asynchronous work, in one context or another. */
export type RunInContext = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Work that `run` starts has the async context (`AsyncLocalStorage`) in which the runner was made, not that of whoever
 * calls `run`: what several callers share must not carry the context of one of them. A promise continues in the context
 * in which it was awaited, so one loop, started by the constructor, does it in every runtime. It holds no timer.
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
