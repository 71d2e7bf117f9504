/** The programs of the README run as they stand. */
import { test } from "vitest";
import { guidePrograms, runGuideProgram } from "./support/guide-programs.js";

test.each(guidePrograms.filter(({ at }) => at.startsWith("README")))(
  "the program at $at runs without an error",
  runGuideProgram,
);
