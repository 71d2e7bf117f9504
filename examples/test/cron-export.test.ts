/** The cron job, on an account in which every list has an invalid row. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../../test/support/run-program.js";
import { emulatedAccount } from "./support/emulated-account.js";
import { oddAccount, oddFields } from "./support/odd-account.js";
import { recipeFolder } from "./support/run-folder.js";

test("the cron job exports an account with invalid rows completely, then only what is new, and deletes what is gone", async () => {
  const { service, env } = await emulatedAccount({ seed: oddAccount }, oddFields);
  const folder = recipeFolder("cron-export");
  const run = async (env: Record<string, string>) => {
    const before = service.requests.length;
    const { output, exitCode } = await runProgram("export.ts", ["archive"], env, folder);
    expect(exitCode, output).toBe(0);
    return service.requests.slice(before).map(({ route }) => route);
  };
  const json = (path: string) => JSON.parse(readFileSync(join(folder, "archive", path), "utf8"));
  const exportedIds = () => new Set(json("index.json").map((entry: { meeting_id: string }) => entry.meeting_id));

  await run(env);
  const ids = service.meetings.list().map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(8);
  expect(exportedIds()).toEqual(new Set(ids));

  // Only the invalid items are fetched again.
  const again = await run(env);
  expect(again[0]).toBe("GET /meetings");
  expect(again.length).toBeLessThan(10);

  // The same account without its first meeting, as a day later: the whole list is read again.
  rmSync(join(folder, "archive/.notetaker/state.json"));
  const meetings = oddAccount.meetings?.filter(({ id }) => id !== "mtg_plain") ?? [];
  const smaller = await emulatedAccount({ seed: { ...oddAccount, meetings } }, oddFields);
  await run(smaller.env);
  expect(exportedIds()).toEqual(new Set(ids.filter((id) => id !== "mtg_plain")));
  expect(readdirSync(join(folder, "archive")).filter((name) => name.includes("mtg_plain"))).toEqual([]);
});
