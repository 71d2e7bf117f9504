/** Records which blocks of code in `src` have run, with V8's coverage. */
import { type Profiler, Session } from "node:inspector/promises";

export class Coverage {
  readonly #session = new Session();
  readonly #known = new Set<string>();

  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post("Profiler.enable");
    await this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** How many blocks have run so far. */
  get size(): number {
    return this.#known.size;
  }

  /** The unknown blocks that ran since the last call. */
  async takeUnknown(): Promise<string[]> {
    // Each call resets V8's counts.
    const { result } = await this.#session.post("Profiler.takePreciseCoverage");
    const blocks = result.filter(({ url }) => url.includes("/src/")).flatMap(blocksThatRan);
    return blocks.filter((block) => !this.#known.has(block));
  }

  /** Makes the blocks known. Returns whether one of them was unknown. */
  learn(blocks: readonly string[]): boolean {
    const before = this.#known.size;
    for (const block of blocks) this.#known.add(block);
    return this.#known.size > before;
  }

  async stop(): Promise<void> {
    await this.#session.post("Profiler.stopPreciseCoverage");
    this.#session.disconnect();
  }
}

const blocksThatRan = ({ url, functions }: Profiler.ScriptCoverage) =>
  functions.flatMap(({ functionName, ranges }) =>
    ranges
      .filter(({ count }) => count > 0)
      .map(({ startOffset, endOffset }) => `${url}:${functionName}:${startOffset}:${endOffset}`),
  );
