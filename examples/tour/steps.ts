/** Runs the steps of the tour one after the other, and prints the result of each. */
import { inspect } from "node:util";

export interface Step {
  title: string;
  /** The step changes the account: with the live service, it runs only if `--write` is given. */
  writes?: boolean;
  /** The live service cannot do this step. */
  emulatorOnly?: boolean;
  /** Its result is printed. */
  run(): Promise<unknown>;
}

const color = (code: number, text: string) => (process.stdout.isTTY ? `\x1b[${code}m${text}\x1b[0m` : text);

const shown = (value: unknown) =>
  (typeof value === "string"
    ? value
    : inspect(value, { depth: 4, colors: process.stdout.isTTY, breakLength: 100, maxStringLength: 160 })
  ).replace(/^/gm, "   ");

/** Resolves to true if no step failed. */
export async function runSteps(
  steps: readonly Step[],
  { live, write }: { live: boolean; write: boolean },
): Promise<boolean> {
  const count = { done: 0, skipped: 0, failed: 0 };
  for (const [index, { title, writes, emulatorOnly, run }] of steps.entries()) {
    console.log(color(1, `\n${index + 1}. ${title}`));
    const skip =
      live && emulatorOnly
        ? "runs with the emulator only"
        : live && writes && !write
          ? "it writes; pass --write"
          : undefined;
    if (skip !== undefined) {
      count.skipped += 1;
      console.log(color(2, `   skipped: ${skip}`));
      continue;
    }
    try {
      console.log(shown(await run()));
      count.done += 1;
    } catch (error) {
      count.failed += 1;
      console.log(color(31, shown(error)));
    }
  }
  console.log(color(1, `\n${count.done} steps done, ${count.skipped} skipped, ${count.failed} failed`));
  return count.failed === 0;
}
