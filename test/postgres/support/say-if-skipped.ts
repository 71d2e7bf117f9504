import { hasPostgres } from "./postgres-server.js";

export default function sayIfSkipped(): void {
  if (hasPostgres) return;
  if (process.env.NOTETAKER_REQUIRE_POSTGRES) {
    throw new Error("Postgres is not installed: the tests with Postgres would be skipped");
  }
  console.log("Skipped: the tests with Postgres, because initdb and postgres are not installed.");
}
