/**
 * Fills a database with all meetings: `fill-database.ts PATH|POSTGRES_URL [STATEMENT]`. With a number, it is killed at that
 * statement: before it, or, if the number is negative, when it has run or was sent.
 */
import { Notetaker, syncMeetings } from "notetaker-sdk";
import { postgresStore, type SqliteDatabase, sqliteStore } from "notetaker-sdk/sql";
import pg from "pg";

const [address = "", dieAt = "Infinity"] = process.argv.slice(2);
let left = Math.abs(Number(dieAt));
const die = () => process.kill(process.pid, "SIGKILL");

function makeDeadly(prototype: object, name: string): void {
  const original = Reflect.get(prototype, name) as (...args: unknown[]) => unknown;
  const deadly = function (this: unknown, ...args: unknown[]) {
    left -= 1;
    if (left === 0 && Number(dieAt) > 0) die();
    const result = original.apply(this, args);
    // What was sent leaves the process first.
    if (left === 0) prototype === pg.Client.prototype ? setImmediate(die) : die();
    return result;
  };
  Object.assign(prototype, { [name]: deadly });
}

async function openSqlite() {
  const { DatabaseSync, StatementSync } = await import("node:sqlite" as string);
  makeDeadly(DatabaseSync.prototype, "exec");
  makeDeadly(StatementSync.prototype, "all");
  return sqliteStore(new DatabaseSync(address) as SqliteDatabase);
}

function openPostgres() {
  makeDeadly(pg.Client.prototype, "query");
  return postgresStore(new pg.Pool({ connectionString: address, max: 2 }));
}

const into = address.startsWith("postgres:") ? openPostgres() : await openSqlite();
const formats = { documents: ["markdown", "docx"] } as const;
await syncMeetings(new Notetaker(), { into, formats, requestsPerMinute: 1e6 });
process.exit(0);
