/** The SQL of the application with many customers: who is late, what is a problem, and whom somebody is told of. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { postgresStore } from "notetaker-sdk/sql";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type PostgresServer, startPostgres } from "../../test/postgres/support/postgres-server.js";
import { examples } from "./support/run-folder.js";
import { serversFor } from "./support/servers-for.js";

const hasServers = serversFor("the states of many customers");

/** Minutes ago; below 0, they are still to come. */
interface Row {
  joined?: number;
  read?: number;
  polled?: number;
  next?: number;
  held?: number;
  failing?: number;
  error?: string;
  refused?: string;
  leaving?: boolean;
  webhookDue?: number;
  /** The job that was given up four minutes ago. */
  givenUp?: string;
  /** An alert says that the customer is late. */
  told?: boolean;
}

let postgres: PostgresServer;
let pool: pg.Pool;
let db: pg.PoolClient;

beforeAll(async () => {
  if (!hasServers) return;
  postgres = await startPostgres();
  pool = postgres.pool();
  await postgresStore(pool, { account: "" }).readState(); // makes the tables of the store
  const schema = readFileSync(join(examples, "many-accounts/schema.sql"), "utf8");
  const [, drop = ""] = /^-- (DROP VIEW .+;)$/m.exec(schema) ?? [];
  for (const before of ["", "", `ALTER VIEW customer_states RENAME late TO later; ${drop}`])
    await pool.query(before + schema);
  db = await pool.connect();
});

afterAll(async () => {
  if (!hasServers) return;
  db.release();
  await pool.end();
  await postgres.close();
});

// In a transaction, time stands still.
beforeEach(async () => {
  await db?.query("BEGIN");
  return async () => void (await db?.query("ROLLBACK"));
});

const ago = (minutes: number | undefined) => (minutes === undefined ? "NULL" : `now() - interval '${minutes} min'`);

async function put({ joined = 100, webhookDue = -100, ...row }: Row, id = "acme"): Promise<void> {
  const { refused = null, leaving = false, error = null } = row;
  await db.query(
    `INSERT INTO customers (id, token, joined_at, read_at, webhook_due_at, refused, leaving)
      VALUES ($1, 'k.token', ${ago(joined)}, ${ago(row.read)}, ${ago(webhookDue)}, $2, $3)`,
    [id, refused, leaving],
  );
  if (row.givenUp) await giveUp(4, "503", row.givenUp);
  if (row.told) await db.query("INSERT INTO alerts VALUES ($1, 'late', '503', '503')", [id]);
  if (row.next === undefined) return; // no run has written anything
  await db.query(
    `INSERT INTO notetaker_accounts (account, version, schema, polled_at, next_at, held_until, failing_since, error)
      VALUES ($1, 1, 1, ${[row.polled, row.next, row.held, row.failing].map(ago).join(", ")}, $2)`,
    [id, error],
  );
}

const giveUp = async (minutes: number, error = "503", job = "event") =>
  await db.query(`INSERT INTO given_up VALUES ('acme', $1, 'mtg_1', $2, ${ago(minutes)})`, [job, error]);
const putMeeting = (account: string, id: string, complete: boolean, missing: object[] = [], minutes = 0) =>
  db.query(
    `INSERT INTO notetaker_meetings (account, id, complete, missing, meeting, gone, version, changed_at)
      VALUES ($1, $2, $3, $4, '{}', false, 1, ${ago(minutes)})`,
    [account, id, complete, JSON.stringify(missing)],
  );
const problems = async () =>
  (await db.query("SELECT problem, message FROM customer_problems ORDER BY problem")).rows as Record<string, string>[];
const details = async () => (await db.query("SELECT * FROM customer_details WHERE id = 'acme'")).rows[0];

const well = { read: 50, polled: 1, next: -1 };
const STATES: [what: string, row: Row, state: string, problems?: string[]][] = [
  ["has just joined", { joined: 2 }, "reading its history"],
  ["has joined, and waits", { joined: 4 }, "waiting"],
  ["has joined, and no run succeeds", { joined: 11 }, "late", ["late: no run has read it"]],
  ["is read for the first time", { polled: 1, next: -1 }, "reading its history"],
  ["is read", well, "up to date"],
  ["waits for a worker", { ...well, polled: 4, next: 3 }, "waiting"],
  ["was not read for ten minutes", { ...well, polled: 11, next: 10 }, "late", ["late: no run has read it"]],
  ["fails for less", { ...well, polled: 2, error: "503", failing: 1 }, "up to date"],
  ["fails", { ...well, polled: 4, error: "503", failing: 2 }, "late", ["late: 503"]],
  ["fails, and a run holds it", { ...well, polled: 4, error: "503", held: -1 }, "late", ["late: 503"]],
  ["fails for 14 minutes", { ...well, polled: 16, error: "503", failing: 14 }, "late", ["late: 503"]],
  ["fails for 16", { ...well, polled: 18, error: "503", failing: 16 }, "late", ["failing: 503", "late: 503"]],
  ["has a poll that takes several runs", { ...well, polled: 59 }, "catching up"],
  ["has one that does not end", { ...well, polled: 61 }, "late", ["late: no run has read it"]],
  ["was read by a worker that was killed", { ...well, polled: 5, next: 4, held: -1 }, "catching up"],
  ["is about to be taken over", { ...well, polled: 7, next: 5, held: 1 }, "catching up"],
  ["was not taken over", { ...well, polled: 8, next: 6, held: 3 }, "waiting"],
  ["kills each worker", { ...well, polled: 61, next: 60, held: -2 }, "late", ["late: a run holds it"]],
  ["is refused", { ...well, polled: 90, failing: 80, error: "503", refused: "401" }, "refused", ["refused: 401"]],
  ["is refused, and its webhook due", { ...well, webhookDue: 20, refused: "401" }, "refused", ["refused: 401"]],
  ["leaves", { ...well, polled: 90, failing: 80, webhookDue: 20, refused: "401", leaving: true }, "leaving"],
  ["leaves while its list fails", { ...well, polled: 90, failing: 80, error: "503", leaving: true }, "leaving"],
  ["has no webhook yet", { ...well, webhookDue: 14 }, "up to date"],
  ["cannot have a webhook", { ...well, webhookDue: 16 }, "up to date", ["webhook: see the log"]],
  ["leaves, and its webhook stays", { ...well, leaving: true, givenUp: "leave" }, "leaving", ["cannot leave: 503"]],
  ["leaves, and an event was given up before", { ...well, polled: 5, leaving: true, givenUp: "event" }, "leaving"],
  ["was mended, and its events were given up", { ...well, polled: 20, givenUp: "event" }, "catching up"],
  ["was mended, and somebody was told", { ...well, polled: 20, told: true }, "late", ["late: no run has read it"]],
  ["was mended, and was read", { ...well, told: true }, "up to date"],
  ["is late, and has none", { ...well, polled: 4, error: "503", webhookDue: 16 }, "late", ["late: 503"]],
];

test.runIf(hasServers).each(STATES)("a customer who %s", async (_, row, state, expected = []) => {
  await put(row);
  const found = await details();
  expect(found.state).toBe(state);
  const patterns = expected.map((one) => expect.stringMatching(new RegExp(`^${one.replace(": ", ": .*")}`)));
  expect(found.problems.sort()).toEqual(patterns);
  expect(found.held_until !== null).toBe((row.held ?? 0) < 0);
  expect(found.webhook_due).toBe((row.webhookDue ?? -1) > 0 && !row.refused && !row.leaving);
});

test.runIf(hasServers)("pieces that fail for a quarter of an hour are a problem", async () => {
  const failed = {
    meeting_id: "mtg_1",
    what: "transcript",
    reason: "failed",
    status: 500,
    retryable: true,
    message: "500",
  };
  const cases: [row: Row, missing: object, minutes: number, complete: boolean, isProblem: boolean][] = [
    [well, failed, 16, false, true],
    [well, failed, 14, false, false],
    [well, failed, 16, true, false], // is not requested any more
    [well, { ...failed, status: undefined }, 16, false, true],
    [well, { ...failed, status: 429 }, 16, false, false],
    [well, { ...failed, reason: "not_ready" }, 16, false, false],
    [well, { ...failed, retryable: false }, 16, false, false],
    [{ ...well, polled: 4, error: "503" }, failed, 16, false, false],
    [{ ...well, refused: "401" }, failed, 16, false, false],
    [{ ...well, leaving: true }, failed, 16, false, false],
  ];
  for (const [row, missing, minutes, complete, isProblem] of cases) {
    await put(row);
    for (const id of ["mtg_1", "mtg_2"]) await putMeeting("acme", id, complete, [missing], minutes);
    const found = (await problems()).filter(({ problem }) => problem === "incomplete");
    const message = expect.stringMatching(/^since .*: 2 meetings, such as mtg_1, transcript: 500$/);
    expect(found, JSON.stringify({ row, missing })).toEqual(isProblem ? [{ problem: "incomplete", message }] : []);
    await db.query("DELETE FROM customers");
  }
});

test.runIf(hasServers)("what a join has failed with is told with the missing webhook", async () => {
  await put({ ...well, webhookDue: 16 });
  await giveUp(9, "an older one", "join");
  await giveUp(1, "422: the url is refused", "join");
  expect(await problems()).toEqual([
    { problem: "webhook", message: expect.stringMatching(/: 422: the url is refused$/) },
  ]);
});

/** What is to be told now, and how that is noted when somebody has taken it. */
async function notices(queues: object[] = []) {
  await db.query("SELECT update_alerts($1, '30 s')", [JSON.stringify(queues)]);
  const { rows } = await db.query("SELECT problem, state, customers, message, cause FROM notices ORDER BY problem");
  return rows as { problem: string; state: string; customers: string[]; message: string; cause: string }[];
}
const tell = () => db.query("UPDATE alerts SET told_at = now() WHERE over_at IS NULL");
const told = () => db.query("DELETE FROM alerts WHERE over_at IS NOT NULL");
const pass = (seconds: number) =>
  db.query(`UPDATE alerts SET since = since - interval '${seconds} s', told_at = told_at - interval '${seconds} s'`);
const polled = (minutes: number, ids = ["acme"]) =>
  db.query(`UPDATE notetaker_accounts SET polled_at = ${ago(minutes)} WHERE account = ANY($1)`, [ids]);

test.runIf(hasServers)(
  "a problem is told when it begins and when it is over, but not if it was over at once",
  async () => {
    await put({ ...well, polled: 4, error: "503" });
    await put(well, "bolt");
    const late = { problem: "late", customers: ["acme"], cause: "503", message: expect.stringMatching(/: 503$/) };
    expect(await notices()).toEqual([{ ...late, state: "begins" }]);
    await polled(1);
    expect(await notices()).toEqual([]);
    await polled(4);
    expect(await notices()).toEqual([{ ...late, state: "begins" }]);
    await tell();
    await db.query("UPDATE notetaker_accounts SET error = '500' WHERE account = 'acme'");
    expect(await notices()).toEqual([]);
    await polled(1);
    expect(await notices()).toEqual([{ ...late, state: "is over" }]);
    await polled(4); // nobody has taken that it is over
    expect(await notices()).toEqual([]);
    await polled(1);
    await notices();
    await told();
    const queue = (name: string, seconds: number) => ({ queue: name, count: 7, seconds });
    const message = "7 jobs wait, the first one for 121 s: start more workers";
    const waits = { problem: "queue ticks", customers: [], cause: "too few workers", message };
    expect(await notices([queue("events", 119), queue("ticks", 121.4)])).toEqual([{ ...waits, state: "begins" }]);
    // Nobody could be told while it lasted.
    await pass(31);
    expect(await notices()).toEqual([{ ...waits, state: "begins" }]);
  },
);

test.runIf(hasServers)(
  "forty customers whose lists fail for one cause are one alert, and another cause is another",
  async () => {
    const ids = Array.from({ length: 40 }, (_, number) => `customer-${number + 10}`);
    for (const id of ids) await put({ ...well, polled: 2, error: `GET /meetings answered 503, request req_${id}` }, id);
    await put({ ...well, polled: 4, error: "401" }, "other");
    await polled(4, ids.slice(0, 3));
    const states = async () => (await notices()).map(({ cause, state, customers }) => [cause, state, customers.length]);
    const cause = "GET /meetings answered 503";
    expect(await states()).toEqual(
      expect.arrayContaining([
        ["401", "begins", 1],
        [cause, "begins", 3],
      ]),
    );
    await tell();
    await polled(4, ids);
    expect(await states()).toEqual([[cause, "goes on", 40]]);
    await tell();
    await polled(1, ids.slice(1));
    expect(await states()).toEqual([]);
    await polled(1, ids);
    expect(await states()).toEqual([[cause, "is over", 40]]);
  },
);

test.runIf(hasServers)("a cause is one, whatever its numbers and meetings are", async () => {
  const pause = (ms: number) =>
    `GET /meetings was not sent: the service asked for a pause of ${ms} ms, longer than 5000`;
  const errors = {
    acme: pause(6_096),
    bolt: pause(317),
    corp: "GET /meetings answered 429: slow down, request req_1",
    dora: "GET /meetings/mtg_7f3k answered 503, request req_2",
    eve: "GET /meetings/mtg_9x answered 503, request req_3",
    finn: "GET /meetings answered 500 after 120 ms",
    gwen: "GET /meetings answered 500 after 99 ms",
  };
  for (const [id, error] of Object.entries(errors)) await put({ ...well, polled: 4, error }, id);
  const { rows } = await db.query(
    "SELECT cause, count(*)::int AS of FROM customer_problems GROUP BY cause ORDER BY count(*) DESC, cause",
  );
  expect(rows).toEqual([
    { cause: "the limits of the account are used up", of: 3 },
    { cause: "GET /meetings answered 500 after … ms", of: 2 },
    { cause: "GET /meetings/… answered 503", of: 2 },
  ]);
});

test.runIf(hasServers)(
  "the details of a customer are its own, and its last secrets are accepted for ten minutes",
  async () => {
    await put(well);
    await put(well, "bolt");
    for (const [account, id, complete] of [
      ["acme", "mtg_1", true],
      ["acme", "mtg_2", false],
      ["bolt", "mtg_3", false],
    ] as const)
      await putMeeting(account, id, complete);
    const webhook = (id: string, customer: string, ended?: number) =>
      db.query(`INSERT INTO customer_webhooks VALUES ($1, $2, $3, false, ${ago(ended)})`, [id, customer, `s-${id}`]);
    await webhook("whk_old", "acme", 11);
    await webhook("whk_last", "acme", 9);
    await webhook("whk_new", "acme");
    await webhook("whk_bolt", "bolt");
    for (let number = 1; number <= 11; number += 1) await giveUp(number, `error ${number}`);
    expect(await details()).toMatchObject({ meetings: 2, incomplete: 1, webhooks: ["whk_new"] });
    const { given_up: givenUp } = await details();
    expect(givenUp.map(({ error }: { error: string }) => error)).toEqual(
      Array.from({ length: 10 }, (_, index) => `error ${index + 1}`),
    );
    const secrets = async () => (await db.query("SELECT * FROM customer_secrets ORDER BY customer")).rows;
    expect(await secrets()).toEqual([
      { customer: "acme", secrets: ["s-whk_last", "s-whk_new"] },
      { customer: "bolt", secrets: ["s-whk_bolt"] },
    ]);
    await db.query("UPDATE customers SET leaving = true WHERE id = 'acme'");
    expect(await secrets()).toEqual([{ customer: "bolt", secrets: ["s-whk_bolt"] }]);
  },
);
