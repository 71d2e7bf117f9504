/** The store of the guide, in SQLite, and in Postgres if it is installed. */
import { createReceiver, type DedupeStore } from "notetaker-sdk/webhooks";
import pg from "pg";
import initSqlJs from "sql.js";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { CREATE_TABLE, type Query, sqlDedupe } from "../../../examples/receivers/sql-dedupe.js";
import { hasPostgres, startPostgres } from "../../recipes/support/postgres-server.js";
import { delivery, SECRET } from "../signed-delivery.js";

if (!hasPostgres) console.log("Skipped: the dedupe store in Postgres, because postgres is not installed.");

afterEach(() => {
  vi.useRealTimers();
});

async function inSqlite(): Promise<DedupeStore> {
  const { Database } = await initSqlJs();
  const database = new Database();
  const query: Query = (sql, ...values) => database.exec(sql, values)[0]?.values ?? [];
  await query(CREATE_TABLE);
  return sqlDedupe(query);
}

async function inPostgres(): Promise<DedupeStore> {
  const { PGHOST, PGPORT } = await startPostgres();
  const pool = new pg.Pool({ host: PGHOST!, port: Number(PGPORT), user: "recipe", database: "postgres", max: 8 });
  // The server stops before the pool does.
  pool.on("error", () => {});
  onTestFinished(() => pool.end());
  // As in the guide.
  const query: Query = async (sql, ...values) => {
    let count = 0;
    return (
      await pool.query(
        sql.replaceAll("?", () => `$${++count}`),
        values,
      )
    ).rows;
  };
  await query(CREATE_TABLE);
  return sqlDedupe(query);
}

async function claimsEndInTime(store: DedupeStore): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"] });
  expect(await store.claim("k", "a")).toBe("claimed");
  expect(await store.claim("k", "b")).toBe("in_progress");
  expect(await store.claim("other", "b")).toBe("claimed");
  await store.release("k", "b");
  await store.complete("k", "b");
  expect(await store.claim("k", "b")).toBe("in_progress");
  await store.release("k", "a");
  expect(await store.claim("k", "b")).toBe("claimed");

  // The process of b has died. Its claim can be taken over, and b cannot settle the claim of c.
  vi.setSystemTime(Date.now() + 59_999);
  expect(await store.claim("k", "c")).toBe("in_progress");
  vi.setSystemTime(Date.now() + 1);
  expect(await store.claim("k", "c")).toBe("claimed");
  await store.complete("k", "b");
  await store.release("k", "b");
  expect(await store.claim("k", "d")).toBe("in_progress");

  await store.complete("k", "c");
  vi.setSystemTime(Date.now() + 180_000);
  expect(await store.claim("k", "d")).toBe("done");
  vi.setSystemTime(Date.now() + 86_400_000);
  expect(await store.claim("k", "d")).toBe("claimed");
  vi.useRealTimers();
}

async function oneOfManyClaimsSucceeds(store: DedupeStore): Promise<void> {
  const results = await Promise.all(Array.from({ length: 40 }, (_, index) => store.claim("many", `owner ${index}`)));
  expect(results.filter((result) => result === "claimed")).toHaveLength(1);
  expect(results.filter((result) => result === "in_progress")).toHaveLength(39);
}

async function twoReceiversHandleOnce(dedupe: DedupeStore): Promise<void> {
  const handled: unknown[] = [];
  const receivers = [1, 2].map(() => createReceiver({ secrets: SECRET, dedupe }));
  for (const receiver of receivers) receiver.onUnhandled(({ meetingId }) => void handled.push(meetingId));
  for (const receiver of [...receivers, ...receivers]) expect((await receiver.handle(delivery())).status).toBe(200);
  expect(handled).toEqual(["mtg_1"]);
}

it.each([["SQLite", inSqlite] as const, ...(hasPostgres ? [["Postgres", inPostgres] as const] : [])])(
  "the dedupe store of the guide gives a delivery to one owner at a time, in %s",
  async (_, open) => {
    const store = await open();
    await claimsEndInTime(store);
    await oneOfManyClaimsSucceeds(store);
    await twoReceiversHandleOnce(store);
  },
);
