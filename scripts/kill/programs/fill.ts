/** Fills a store with all meetings: `fill.ts FOLDER|FILE.sqlite|POSTGRES_URL`. */
import { Notetaker, syncMeetings } from "notetaker-sdk";
import { folderStore } from "notetaker-sdk/node";
import { postgresStore, sqliteStore } from "notetaker-sdk/sql";
import pg from "pg";

const [address = ""] = process.argv.slice(2);

async function openStore() {
  if (address.startsWith("postgres:")) return postgresStore(new pg.Pool({ connectionString: address, max: 2 }));
  if (!address.endsWith(".sqlite")) return folderStore(address);
  const { DatabaseSync } = await import("node:sqlite" as string);
  return sqliteStore(new DatabaseSync(address));
}

await syncMeetings(new Notetaker(), {
  into: await openStore(),
  requestsPerMinute: 1e6,
  formats: { documents: ["markdown", "docx"], recording: !/^postgres:|\.sqlite$/.test(address) },
});
process.exit(0);
