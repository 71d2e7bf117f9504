import type { PGlite } from "@electric-sql/pglite";
import type BetterSqlite3 from "better-sqlite3";
import { postgresStore, type SearchHit, sqliteStore } from "notetaker-sdk/sql";
import type pg from "pg";
import { expectTypeOf, it } from "vitest";

/** As Node 22 declares it. */
interface DatabaseSync {
  exec(sql: string): void;
  prepare(sql: string): {
    all(...values: (string | number | null)[]): Record<string, unknown>[];
    run(...values: (string | number | null)[]): object;
  };
}

it("the types accept the databases of each package", () => {
  expectTypeOf((db: BetterSqlite3.Database | DatabaseSync) => sqliteStore(db)).toBeFunction();
  expectTypeOf((pool: pg.Pool | PGlite) => postgresStore(pool, { account: "acme" })).toBeFunction();
  // @ts-expect-error: a Client cannot keep two transactions apart
  expectTypeOf((client: pg.Client) => postgresStore(client)).toBeFunction();
});

it("the kind of a hit says which fields it has, and all can be read without it", () => {
  const read = (hit: SearchHit) => {
    expectTypeOf(hit.speaker).toEqualTypeOf<string | undefined>();
    if (hit.kind === "transcript") expectTypeOf(hit.speaker).toEqualTypeOf<string>();
    else expectTypeOf(hit.document.title).toEqualTypeOf<string | null>();
  };
  expectTypeOf(read).toBeFunction();
});
