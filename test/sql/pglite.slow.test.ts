import { PGlite } from "@electric-sql/pglite";
import { openArchive, postgresStore } from "notetaker-sdk/sql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { itemOf, meetingOf, write } from "../sync/store/store-items.js";
import { databaseContract, openedPostgres } from "./databases.js";

let db: PGlite;
beforeAll(async () => {
  db = await PGlite.create();
}, 300_000);
afterAll(() => db.close());

test("the list goes on after each page, however the connection writes times", async () => {
  await db.exec("DROP SCHEMA IF EXISTS test CASCADE; CREATE SCHEMA test; SET search_path TO test");
  await db.exec("SET DateStyle TO 'SQL, DMY'; SET TimeZone TO 'America/New_York'");
  const starts = ["2026-10-25T01:30:00Z", "2026-10-25T00:30:00Z", "2026-01-31T10:00:00Z", "1900-01-01T00:00:00Z", ""];
  const meeting = (id: string, start_time: string) => ({ ...meetingOf(id), start_time });
  const items = starts.map((start, index) => itemOf(`mtg_${index}`, { meeting: meeting(`mtg_${index}`, start) }));
  await write(postgresStore(db), items);
  const ids: string[] = [];
  for await (const { id } of openArchive(db).meetings.list({ limit: 1 })) ids.push(id);
  await db.exec("RESET DateStyle; RESET TimeZone");
  expect(ids).toEqual(["mtg_0", "mtg_1", "mtg_2", "mtg_3", "mtg_4"]);
});

databaseContract("PGlite", async () => {
  await db.exec("DROP SCHEMA IF EXISTS test CASCADE; CREATE SCHEMA test; SET search_path TO test");
  return openedPostgres(db);
});
