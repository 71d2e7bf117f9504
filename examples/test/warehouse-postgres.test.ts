/** The warehouse on Postgres: PGlite is Postgres inside this process, which programs reach over its own protocol. */
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { Notetaker } from "notetaker-sdk";
import { expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../../test/support/free-port.js";
import { runProgram } from "../../test/support/run-program.js";
import { deliverOverHttp, emulatedAccount } from "./support/emulated-account.js";
import { killAtRequest } from "./support/kill-at-request.js";
import { oddAccount, oddFields } from "./support/odd-account.js";
import { recipeFolder } from "./support/run-folder.js";
import { startProgram } from "./support/start-program.js";

const DAY_MS = 86_400_000;

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

test("the warehouse in Postgres resumes after a kill, and deletes what is gone", async () => {
  const { endSession, folder, variables, rows, run } = await warehouse();
  const { service, env } = await emulatedAccount({ stepTimes: "manual" });

  await killAtRequest(service, 20, { cwd: folder, args: ["warehouse.ts"], env: { ...env, ...variables } });
  await endSession();
  service.clock.advance(60_000);
  expect(await run(env)).toMatch(/^\d meetings, resumed$/);
  const meetings = service.meetings.list();
  expect(await rows("SELECT id FROM meetings ORDER BY id")).toEqual(meetings.map(({ id }) => ({ id })).sort(byId));
  const completed = meetings.filter(({ status }) => status === "completed");
  const segments = completed.flatMap(({ transcript }) => transcript?.segments ?? []);
  expect(await rows("SELECT count(*)::int FROM segments")).toEqual([{ count: segments.length }]);
  expect(await rows("SELECT count(DISTINCT meeting_id)::int FROM documents")).toEqual([{ count: 9 }]);

  // A meeting that was deleted at the service. The last full reading was two days ago.
  await rows("INSERT INTO meetings (id) VALUES ('mtg_gone')");
  await rows(
    `UPDATE walk SET checkpoint = regexp_replace(checkpoint, '"read":[0-9]+', '"read":${Date.now() - 2 * DAY_MS}')`,
  );
  expect(await run(env)).toBe("0 meetings, resumed");
  expect(await rows("SELECT id FROM meetings WHERE id = 'mtg_gone'")).toEqual([]);
});

test("the warehouse in Postgres follows the account with --follow: an event brings its meeting at once", async () => {
  const { folder, variables, rows, run } = await warehouse();
  const { service, env } = await emulatedAccount({ stepTimes: "manual" });
  await run(env);
  const { url, printed, stop } = await startProgram(folder, ["warehouse.ts", "--follow"], { ...env, ...variables });
  deliverOverHttp(service, url);
  const { id } = service.meetings.list().find(({ status }) => status === "processing") ?? { id: "" };
  await service.meetings.transcribe(id);
  const sql = `SELECT 1 FROM segments WHERE meeting_id = '${id}'`;
  await vi.waitUntil(async () => (await rows(sql)).length > 0, 60_000);
  expect(await stop()).toBe(0);
  await printed(/meetings, resumed/);
});

test("the warehouse in Postgres keeps a transcript that is refused later, and stores a late one with an older checkpoint", async () => {
  const { rows, run } = await warehouse();
  const { service, env } = await emulatedAccount({ stepTimes: "manual", now: () => Date.now() });
  await run(env);
  const [older] = await rows("SELECT checkpoint FROM walk");
  const client = new Notetaker({ baseUrl: env.NOTETAKER_BASE_URL ?? "", token: service.token });
  const { id } = await client.meetings.upload(new Uint8Array(8), { contentType: "audio/wav" });
  await run(env);
  await rows(`UPDATE walk SET checkpoint = '${(older as { checkpoint: string }).checkpoint}'`);
  await service.meetings.finish(id);
  await run(env);
  const stored = () =>
    rows(`SELECT title, (SELECT count(*) FROM segments WHERE meeting_id = id) AS segments,
      (SELECT count(*) FROM documents WHERE meeting_id = meetings.id) AS documents FROM meetings WHERE id = '${id}'`);
  const [before] = (await stored()) as { segments: number; documents: number }[];
  expect(before).toMatchObject({ segments: expect.any(Number), documents: expect.any(Number) });
  expect(Math.min(before!.segments, before!.documents)).toBeGreaterThan(0);

  Object.assign(service.meetings.get(id) as object, { title: "Renamed" });
  service.faults.next("GET /meetings/:id/transcript", { status: 403 });
  service.faults.next("GET /documents/:id", { status: 403, times: before!.documents });
  await run(env);
  expect(service.faults.unused()).toEqual([]);
  expect(await stored()).toEqual([{ ...before, title: "Renamed" }]);
});

test("the warehouse in Postgres accepts an account in which every list has an invalid row", async () => {
  const { rows, run } = await warehouse();
  const { service, env } = await emulatedAccount({ seed: oddAccount }, oddFields);
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
});

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
