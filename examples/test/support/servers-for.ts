import { expect, test } from "vitest";
import { hasPostgres } from "../../../test/postgres/support/postgres-server.js";
import { hasRedis } from "../../../test/redis/support/redis-server.js";

/** Whether Redis and Postgres are installed. If not, says what is skipped; and a test fails if they are required. */
export function serversFor(what: string): boolean {
  const hasServers = hasRedis && hasPostgres;
  if (!hasServers) console.log(`Skipped: ${what}, because Redis or Postgres is not installed.`);
  test("Redis and Postgres are installed if NOTETAKER_REQUIRE_REDIS or NOTETAKER_REQUIRE_POSTGRES is set", () => {
    const { NOTETAKER_REQUIRE_REDIS, NOTETAKER_REQUIRE_POSTGRES } = process.env;
    expect(hasServers || !(NOTETAKER_REQUIRE_REDIS || NOTETAKER_REQUIRE_POSTGRES)).toBe(true);
  });
  return hasServers;
}
