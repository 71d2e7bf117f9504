/**
 * Kills `syncMeetings` into a store many times, at a random moment. After each kill, everything that the store has must
 * be complete. After the last run, it must be the same as after one uninterrupted run.
 */
import { createEmulator } from "notetaker-sdk/testing";
import { meetings } from "../../test/node/support/account.js";
import { bundleProgram, type Finding } from "./program.js";
import type { Contents, Stores } from "./stores.js";

const MEETINGS = 30;
/** A program is killed after at most this many of its requests, and then at most this many milliseconds. */
const MAX_REQUESTS = 50;
const MAX_MS = 20;

const differing = (found: Contents, expected: Contents) =>
  [...found].filter(([key, value]) => expected.get(key) !== value).map(([key]) => `${key} differs`);

export async function killStore(what: string, open: () => Promise<Stores>, kills: number): Promise<Finding> {
  await using program = await bundleProgram("scripts/kill/programs/fill.ts");
  await using stores = await open();
  let left = Number.POSITIVE_INFINITY;
  let onLast = () => {};
  const onRequest = () => {
    left -= 1;
    if (left === 0) onLast();
  };
  const service = createEmulator({ seed: { meetings: meetings(MEETINGS) }, limits: "none", onRequest });
  const { url, close } = await service.listen({ port: 0 });
  const env = { NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: service.token };
  const differences: string[] = [];
  let killed = 0;
  let halfway = 0;
  let number = 0;

  /** Runs the program until it completes, or is killed. Resolves to whether it was killed. */
  const run = (address: string, isMortal: boolean) => {
    const child = program.start([address], env);
    left = isMortal ? 1 + Math.floor(Math.random() * MAX_REQUESTS) : Number.POSITIVE_INFINITY;
    onLast = () => void setTimeout(() => child.kill(), Math.random() * MAX_MS);
    return child.wasKilled();
  };

  try {
    const clean = await stores.make("clean");
    await run(clean, false);
    const expected = await stores.contents(clean);
    if (expected.size < MEETINGS) differences.push("the uninterrupted run left too little to compare with");
    while (killed < kills) {
      number += 1;
      const address = await stores.make(`killed_${number}`);
      while (await run(address, killed < kills)) {
        killed += 1;
        const found = await stores.contents(address);
        if (found.size > 0 && found.size < expected.size) halfway += 1;
        differences.push(...differing(found, expected).map((text) => `after kill ${killed}: ${text}`));
        await stores.unlock(address);
      }
      const found = await stores.contents(address);
      const missing = [...expected.keys()].filter((key) => !found.has(key)).map((key) => `${key} is missing`);
      const left = (await stores.unfinished(address)).map((name) => `${name} is not finished`);
      const problems = [...differing(found, expected), ...missing, ...left];
      differences.push(...problems.map((text) => `in the end of store ${number}: ${text}`));
    }
    if (halfway === 0) differences.push("no kill struck a store that was half full: that promises nothing");
    const figures = `${killed} kills, ${halfway} of them of a store that was half full; ${number} stores of ${expected.size} parts`;
    return {
      promise: `what is in ${what} is whole after a kill, and complete after the next run`,
      differences,
      figures,
    };
  } finally {
    await close();
  }
}
