/** A small run of `npm run fleet`: the application with many customers, while everything is killed. */
import { expect, test } from "vitest";
import { runProgram } from "../../test/support/run-program.js";
import { examples } from "./support/run-folder.js";
import { serversFor } from "./support/servers-for.js";

const hasServers = serversFor("the small run of the fleet");

// It may wait for the lease of a killed worker, which lasts three minutes.
test.runIf(hasServers)(
  "nothing is missing or doubled after everything was killed",
  async () => {
    const args = "--accounts 20 --workers 2 --minutes 1 --kills 5 --history 200 --every-seconds 30 --tick-seconds 10";
    const { exitCode, output } = await runProgram("../scripts/fleet/run.ts", args.split(" "), {}, examples);
    expect(exitCode, output).toBe(0);
    expect(output).toMatch(/^missing: 0$/m);
    expect(output).toMatch(/^doubled: 0$/m);
  },
  900_000,
);
