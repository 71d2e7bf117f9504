/** `npx notetaker-sdk search` as a program of its own. Over Postgres: test/postgres/search.test.ts. */
import { join } from "node:path";
import { sqliteStore } from "notetaker-sdk/sql";
import { expect, it } from "vitest";
import { talk } from "../sql/search/search-contract.js";
import { hasSqlite } from "../support/has-sqlite.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { itemOf, write } from "../sync/store/store-items.js";
import { startCommand } from "./support.js";

it.runIf(hasSqlite)("Ctrl-C ends a long first index with exit code 130, and the next search goes on", async () => {
  const { DatabaseSync } = await import("node:sqlite" as string);
  const path = join(temporaryFolder(), "meetings.db");
  const db = new DatabaseSync(path);
  const said = Array.from({ length: 600 }, (_, index) => `The renewal of number ${index} has a price of its own.`);
  const ids = Array.from({ length: 400 }, (_, index) => `mtg_${index}`);
  await write(
    sqliteStore(db),
    ids.map((id) => itemOf(id, { transcript: talk(id, ...said) })),
  );
  const indexed = () => {
    const made = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'notetaker_passages'").all().length > 0;
    return made ? db.prepare("SELECT count(DISTINCT meeting_id) AS n FROM notetaker_passages").all()[0].n : 0;
  };
  const args = ["search", "renewal", "--in", path, "--json", "--limit", "1"];
  const first = await startCommand(args);
  await expect.poll(indexed, { timeout: 60_000 }).toBeGreaterThan(0);
  first.child.kill("SIGINT");
  const begun = performance.now();
  expect(await first.ended).toBe(130);
  expect(performance.now() - begun).toBeLessThan(5_000);
  expect(first.output).toEqual({ stdout: "", stderr: "notetaker-sdk search: interrupted\n" });
  expect(indexed()).toBeLessThan(ids.length);
  const next = await startCommand(args);
  expect(await next.ended).toBe(0);
  expect(indexed()).toBe(ids.length);
  db.close();
});
