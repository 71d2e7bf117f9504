/**
 * Seeded simulations of days with a hostile service, into each store. `SIMULATION_SEEDS=1000` runs more of them,
 * `SIMULATION_FROM=42` begins with another seed: the night uses the date. `SIMULATION_STORE=folder` runs one store alone.
 */
import type { MeetingStore } from "notetaker-sdk";
import { folderStore } from "notetaker-sdk/node";
import { postgresStore, sqliteStore } from "notetaker-sdk/sql";
import { afterAll, describe, expect, it } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../postgres/support/postgres-server.js";
import { wasmDatabase } from "../../sql/wasm-sqlite.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { simulate } from "./simulate.js";

const FROM = Number(process.env.SIMULATION_FROM ?? 1);
const BLOCK = 10;

let server: PostgresServer | undefined;
afterAll(() => server?.close());

interface Opened {
  readonly store?: MeetingStore;
  close?(): Promise<void>;
}

async function openPostgres(seed: number): Promise<Opened> {
  server ??= await startPostgres();
  // Idle connections would end in simulated time, and each call would open another one.
  const pool = server.pool(`seed_${seed}`, { idleTimeoutMillis: 0 });
  await pool.query(`CREATE SCHEMA seed_${seed}`);
  return { store: postgresStore(pool), close: () => pool.end() };
}

/** How many seeds by default, and a new store. */
const STORES: Record<string, [seeds: number, open: (seed: number) => Opened | Promise<Opened>]> = {
  memory: [30, () => ({})],
  sqlite: [4, () => ({ store: sqliteStore(wasmDatabase()) })],
  folder: [2, () => ({ store: folderStore(temporaryFolder()) })],
  postgres: [hasPostgres ? 2 : 0, openPostgres],
};

const { SIMULATION_STORE: only, SIMULATION_SEEDS: seeds } = process.env;
const stores = Object.entries(STORES).filter(([name]) => name === (only ?? (seeds === undefined ? name : "memory")));

describe("syncMeetings, after days with a service that fails, moves, hides and repeats", () => {
  const blocks = stores.flatMap(([name, [byDefault, open]]) => {
    const count = Number(seeds ?? byDefault);
    const starts = Array.from({ length: Math.ceil(count / BLOCK) }, (_, index) => FROM + index * BLOCK);
    return starts.map((from) => [name, from, Math.min(from + BLOCK, FROM + count), open] as const);
  });
  it.each(blocks)("into %s: everything once, and nothing else: seeds from %i on", async (_, from, end, open) => {
    const differences: Record<number, readonly string[]> = {};
    for (let seed = from; seed < end; seed += 1) {
      const { store, close } = await open(seed);
      const found = await simulate(seed, store);
      await close?.();
      if (found.length > 0) differences[seed] = found;
    }
    expect(differences).toEqual({});
  });
});
