/** The warehouse on a real Postgres, if one is installed (`apt-get install postgresql`). */
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { runProgram } from "../support/run-program.js";
import { emulatedAccount } from "./support/emulated-account.js";
import { killAtRequest } from "./support/kill-at-request.js";
import { oddAccount } from "./support/odd-account.js";
import { hasPostgres, startPostgres } from "./support/postgres-server.js";
import { recipeFolder } from "./support/recipe-folder.js";

if (!hasPostgres) console.log("Skipped: the warehouse in Postgres, because postgres is not installed.");

test("postgres is installed if NOTETAKER_REQUIRE_POSTGRES is set", () => {
  expect(hasPostgres || !process.env.NOTETAKER_REQUIRE_POSTGRES, "postgres is not installed").toBe(true);
});

async function warehouse() {
  const server = await startPostgres();
  const client = new pg.Client({
    host: server.PGHOST,
    port: Number(server.PGPORT),
    user: "recipe",
    database: "postgres",
  });
  await client.connect();
  onTestFinished(() => client.end());
  const folder = recipeFolder("warehouse-postgres", ["pg"]);
  return {
    folder,
    server,
    rows: async (sql: string) => (await client.query(sql)).rows,
    async run(env: Record<string, string>) {
      const { output, exitCode } = await runProgram("warehouse.ts", [], { ...env, ...server }, folder);
      expect(exitCode, output).toBe(0);
      return output.trim();
    },
  };
}

test.runIf(hasPostgres)("the warehouse in Postgres resumes after a kill, and deletes what is gone", async () => {
  const { folder, server, rows, run } = await warehouse();
  const { service, env } = await emulatedAccount({ life: "manual" });

  await killAtRequest(service, 20, { cwd: folder, args: ["warehouse.ts"], env: { ...env, ...server } });
  // These were deleted at the service between two runs.
  await rows("INSERT INTO meetings (id) VALUES ('mtg_gone')");
  service.clock.advance(60_000);
  expect(await run(env)).toMatch(/^\d meetings, resumed$/);
  const meetings = service.meetings.list();
  expect(await rows("SELECT id FROM meetings ORDER BY id")).toEqual(meetings.map(({ id }) => ({ id })).sort(byId));
  const completed = meetings.filter(({ status }) => status === "completed");
  const segments = completed.flatMap(({ transcript }) => transcript?.segments ?? []);
  expect(await rows("SELECT count(*)::int FROM segments")).toEqual([{ count: segments.length }]);
  expect(await rows("SELECT count(DISTINCT meeting_id)::int FROM documents")).toEqual([{ count: 9 }]);
  expect(await rows("SELECT checkpoint FROM walk")).toEqual([]);
});

test.runIf(hasPostgres)(
  "the warehouse in Postgres accepts an account in which every list has an invalid row",
  async () => {
    const { rows, run } = await warehouse();
    const { service, env } = await emulatedAccount({ seed: oddAccount });
    const count = service.meetings.list().length;
    expect(await run(env)).toBe(`${count} meetings`);
    expect(
      await rows("SELECT title, start_time FROM meetings WHERE id IN ('mtg_title', 'mtg_start') ORDER BY id"),
    ).toEqual([
      { title: expect.any(String), start_time: "" },
      { title: null, start_time: expect.stringMatching(/^2025-/) },
    ]);
    const texts = await rows("SELECT text FROM segments WHERE meeting_id = 'mtg_segment' ORDER BY position");
    expect(texts).toEqual([{ text: "" }, { text: "Good  morning \ufffd" }]);
  },
);

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
