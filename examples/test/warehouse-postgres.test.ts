/** The warehouse on Postgres: PGlite is Postgres inside this process, which programs reach over its own protocol. */
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../../test/support/free-port.js";
import { runProgram } from "../../test/support/run-program.js";
import { deliverOverHttp, emulatedAccount } from "./support/emulated-account.js";
import { killAtRequest } from "./support/kill-at-request.js";
import { oddAccount, oddFields } from "./support/odd-account.js";
import { recipeFolder } from "./support/run-folder.js";
import { startProgram } from "./support/start-program.js";

async function warehouse() {
  const db = await PGlite.create();
  const port = await freePort();
  const listen = async () => {
    const server = new PGLiteSocketServer({ db, host: "127.0.0.1", port });
    await server.start();
    return server;
  };
  let server = await listen();
  onTestFinished(async () => {
    await server.stop();
    await db.close();
  });
  const variables = { PGHOST: "127.0.0.1", PGPORT: String(port), PGUSER: "postgres", PGDATABASE: "postgres" };
  const folder = recipeFolder("warehouse-postgres");
  return {
    folder,
    variables,
    /** Ends the session of a killed program, as a Postgres server does by itself. */
    async endSession() {
      await server.stop();
      await db.exec("ROLLBACK");
      server = await listen();
    },
    rows: async (sql: string) => (await db.query(sql)).rows,
    async run(env: Record<string, string>) {
      const { output, exitCode } = await runProgram("warehouse.ts", [], { ...env, ...variables }, folder);
      expect(exitCode, output).toBe(0);
      return output.trim();
    },
  };
}

test("the warehouse in Postgres continues after a kill, and marks what is gone", async () => {
  const { endSession, folder, variables, rows, run } = await warehouse();
  const { service, env } = await emulatedAccount({ stepTimes: "manual" });

  await killAtRequest(service, 20, { cwd: folder, args: ["warehouse.ts"], env: { ...env, ...variables } });
  await endSession();
  // As three minutes later: the lease of the killed program has ended.
  await rows("UPDATE notetaker_accounts SET held_until = now()");
  expect(await run(env)).toMatch(/^\d+ changed, \d+ pieces missing$/);
  const ids = service.meetings.list().map(({ id }) => ({ id }));
  expect(await rows("SELECT id FROM notetaker_meetings ORDER BY id")).toEqual(ids.sort(byId));
  const completed = service.meetings.list().filter(({ status }) => status === "completed");
  const segments = completed.flatMap(({ transcript }) => transcript?.segments ?? []);
  expect(await rows("SELECT count(*)::int FROM notetaker_segments")).toEqual([{ count: segments.length }]);
  expect(await rows("SELECT count(DISTINCT meeting_id)::int FROM notetaker_documents")).toEqual([{ count: 9 }]);
});

test("the warehouse in Postgres follows the account with --follow: an event brings its meeting at once", async () => {
  const { folder, variables, rows, run } = await warehouse();
  const { service, env } = await emulatedAccount({ stepTimes: "manual" });
  await run(env);
  const { url, stop } = await startProgram(folder, ["warehouse.ts", "--follow"], { ...env, ...variables });
  deliverOverHttp(service, url);
  const { id } = service.meetings.list().find(({ status }) => status === "processing") ?? { id: "" };
  await service.meetings.transcribe(id);
  const sql = `SELECT 1 FROM notetaker_segments WHERE meeting_id = '${id}'`;
  await vi.waitUntil(async () => (await rows(sql)).length > 0, 60_000);
  expect(await stop()).toBe(0);
});

test("the warehouse in Postgres accepts an account in which every list has an invalid row", async () => {
  const { rows, run } = await warehouse();
  const { service, env } = await emulatedAccount({ seed: oddAccount }, oddFields);
  await run(env);
  const [stored] = await rows("SELECT count(*)::int FROM notetaker_meetings");
  expect(stored).toEqual({ count: service.meetings.list().length });
});

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
