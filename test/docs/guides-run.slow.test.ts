/** The programs of the guides and of the skill run as they stand; `readme-runs.test.ts` runs those of the README. */
import { expect, test } from "vitest";
import { guideBlocks, guidePrograms, runGuideProgram } from "./support/guide-programs.js";

test("every block either runs here, or says which tests run it, or that it cannot run", () => {
  const known = /^$|^(run|no-run|sketch|vitest|openssl|before|after|telemetry)$|^examples\//;
  expect(guideBlocks.filter(({ flag }) => !known.test(flag)).map(({ at, flag }) => `${at} ${flag}`)).toEqual([]);
});

test.each(guidePrograms.filter(({ at }) => !at.startsWith("README")))(
  "the program at $at runs without an error",
  runGuideProgram,
);
