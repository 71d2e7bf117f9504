/** What happens to the rows of the fleet's database, and what they are in the end. */
import type pg from "pg";
import { type FleetOptions, fatesOf, isLarge, type Outage, type Truth } from "./options.js";

/** Notes when each transcript arrived, and each write of a meeting that changed nothing. */
export async function watchRows(pool: pg.Pool): Promise<void> {
  await pool.query(`
    CREATE TABLE fleet_arrived (account text, id text, at timestamptz);
    CREATE TABLE fleet_rewritten (account text, id text, version bigint);
    CREATE FUNCTION fleet_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.transcript IS NOT NULL AND (TG_OP = 'INSERT' OR OLD.transcript IS NULL) THEN
        INSERT INTO fleet_arrived VALUES (NEW.account, NEW.id, clock_timestamp());
      END IF;
      IF TG_OP = 'UPDATE' AND NEW.version <> OLD.version AND NEW.meeting = OLD.meeting AND NEW.missing = OLD.missing
        AND NEW.gone = OLD.gone AND NEW.transcript IS NOT DISTINCT FROM OLD.transcript THEN
        INSERT INTO fleet_rewritten VALUES (NEW.account, NEW.id, NEW.version);
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER fleet_note AFTER INSERT OR UPDATE ON notetaker_meetings
      FOR EACH ROW EXECUTE FUNCTION fleet_note()`);
}

const ids = async (pool: pg.Pool, sql: string) =>
  new Set((await pool.query(sql)).rows.map(({ account, id }) => `${account} ${id}`));

/** The meetings that are not in the database with all their pieces; of accounts that are still `unread`, the new ones. */
export async function missingOf(
  pool: pg.Pool,
  truth: Record<string, Truth>,
  { options, unread }: { options: FleetOptions; unread: ReadonlySet<string> },
): Promise<string[]> {
  const stored = await ids(
    pool,
    "SELECT account, id FROM notetaker_meetings WHERE complete AND transcript IS NOT NULL AND status = 'completed'",
  );
  const summarised = await ids(pool, "SELECT account, meeting_id AS id FROM notetaker_documents");
  const { revoked, leaving } = fatesOf(options);
  const accounts = Object.keys(truth).filter((name) => options.kills === 0 || (name !== revoked && name !== leaving));
  return accounts.flatMap((name) => {
    const { ids: all = [], sent = {} } = truth[name] ?? {};
    return all
      .map((id) => ({ key: `${name} ${id}`, isNew: id in sent }))
      .filter(({ isNew }) => isNew || !unread.has(name))
      .filter(({ key, isNew }) => !stored.has(key) || (isNew && !summarised.has(key)))
      .map(({ key }) => key);
  });
}

export async function stateOf(pool: pg.Pool, key: string): Promise<string> {
  const { rows } = await pool.query(
    `SELECT m.id, status, complete, missing, next_at, held_until, polled_at, error, now() FROM notetaker_accounts
    LEFT JOIN notetaker_meetings m USING (account) WHERE account = $1 ORDER BY m.id = $2 DESC LIMIT 1`,
    key.split(" "),
  );
  return JSON.stringify(rows[0]);
}

/** What is there twice, or although it should not be there. */
export async function doubledOf(pool: pg.Pool, truth: Record<string, Truth>, options: FleetOptions): Promise<string[]> {
  const isChaos = options.kills > 0;
  const { leaving } = fatesOf(options);
  const { rows } = await pool.query(`SELECT account, id FROM fleet_rewritten r WHERE NOT EXISTS
    (SELECT FROM notetaker_documents d WHERE d.account = r.account AND d.meeting_id = r.id AND d.version >= r.version)`);
  const rewritten = rows.map(({ account, id }) => `${account} ${id}: written again, although nothing had changed`);
  const webhooks = Object.entries(truth)
    .filter(([name, { webhooks }]) => webhooks !== (isChaos && name === leaving ? 0 : 1))
    .map(([name, { webhooks }]) => `${name}: ${webhooks} webhooks`);
  const left = await pool.query("SELECT id FROM notetaker_meetings WHERE account = $1", [leaving]);
  const parked = await pool.query("SELECT FROM customers WHERE refused IS NOT NULL");
  return [
    ...rewritten,
    ...webhooks,
    ...(isChaos ? left.rows : []).map(({ id }) => `${leaving} has left, but ${id} is there`),
    ...(parked.rowCount === (isChaos ? 1 : 0) ? [] : [`${parked.rowCount} customers have a refused token`]),
  ];
}

/**
 * Milliseconds from each event to its row, sorted: of the accounts with a long history, of the others, and of lost events; of
 * the others also from the delivery that was accepted, during the outages of each name, and in peace.
 */
export async function delaysOf(
  pool: pg.Pool,
  truth: Record<string, Truth>,
  { outages, options }: { outages: readonly Outage[]; options: FleetOptions },
) {
  const { rows } = await pool.query("SELECT account, id, min(at) AS at FROM fleet_arrived GROUP BY account, id");
  const delays: Record<"large" | "quiet" | "lost" | "accepted", number[]> = {
    large: [],
    quiet: [],
    lost: [],
    accepted: [],
  };
  const byOutage = new Map<string, number[]>();
  for (const { account, id, at } of rows) {
    const event = truth[account]?.sent[id];
    if (event === undefined) continue;
    const kind = event.isLost ? "lost" : isLarge(account, options) ? "large" : "quiet";
    const delay = at.getTime() - event.at;
    delays[kind].push(delay);
    const acceptedAt = truth[account]?.accepted[id];
    if (process.env.FLEET_LOG && delay > 10_000) {
      const accepted = acceptedAt === undefined ? "no delivery accepted" : `accepted after ${acceptedAt - event.at} ms`;
      console.error(`${kind}: ${account} ${id} took ${delay} ms, ${accepted}`);
    }
    if (kind !== "quiet") continue;
    if (acceptedAt !== undefined) delays.accepted.push(at.getTime() - acceptedAt);
    // An event of the second before has its job under way.
    const outage = outages.find(({ from, to }) => from - 1_000 <= event.at && event.at <= to);
    const name = outage?.name ?? "no outage";
    byOutage.set(name, [...(byOutage.get(name) ?? []), delay]);
  }
  for (const list of [...Object.values(delays), ...byOutage.values()]) list.sort((left, right) => left - right);
  return { ...delays, outages: [...byOutage].map(([name, delays]) => ({ name, delays })) };
}

export const percentile = (sorted: readonly number[], share: number): string => {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return value === undefined ? "none" : `${(value / 1000).toFixed(2)} s`;
};

/** The requests of a quiet account since `before`, extrapolated to a day. */
export function requestsADay(
  truth: Record<string, Truth>,
  before: Record<string, Truth>,
  { ms, options }: { ms: number; options: FleetOptions },
): { polls: number; all: number } {
  const fates = Object.values(fatesOf(options));
  const quiet = Object.keys(truth).filter((name) => !isLarge(name, options) && !fates.includes(name));
  const perDay = (field: "polls" | "all") => {
    const sum = quiet.reduce((total, name) => total + (truth[name]?.[field] ?? 0) - (before[name]?.[field] ?? 0), 0);
    return Math.round((sum / Math.max(1, quiet.length)) * (86_400_000 / ms));
  };
  return { polls: perDay("polls"), all: perDay("all") };
}
