/**
 * Kills `syncMeetings` into a database many times. A reader of the versions runs beside it, as the guide shows it. After the
 * last run, the tables and what the reader has seen must be the same as after one uninterrupted run.
 */
import type { Databases, Rows } from "./databases.js";
import { deadlyAccount } from "./deadly-account.js";
import type { Finding } from "./finding.js";
import { bundleProgram } from "./program.js";

/** Every second run is killed at one of its first statements. */
const MAX_STATEMENTS = 60;

const MEETINGS = `SELECT id, title, status, started_at, duration, complete, gone, missing, meeting, transcript
  FROM notetaker_meetings ORDER BY id`;
const DOCUMENTS =
  "SELECT meeting_id, id, format, title, content FROM notetaker_documents ORDER BY meeting_id, id, format";
const SEGMENTS = "SELECT meeting_id, position, speaker, text FROM notetaker_segments ORDER BY meeting_id, position";

const texts = (rows: Rows) => rows.map((row) => JSON.stringify(row));

export async function killDatabase(name: string, open: () => Promise<Databases>, kills: number): Promise<Finding> {
  await using program = await bundleProgram("scripts/kill/programs/fill-database.ts");
  await using databases = await open();
  const account = await deadlyAccount();
  const differences: string[] = [];
  let killed = 0;
  let withRows = 0;
  let number = 0;

  const allOf = async (at: number) => {
    const tables = [MEETINGS, DOCUMENTS, SEGMENTS].map(async (sql) => texts(await databases.query(at, sql)));
    return (await Promise.all(tables)).flat();
  };

  /** Runs the program until it completes, or is killed. Resolves to whether it was killed. */
  async function run(address: string): Promise<boolean> {
    const isLast = killed >= kills;
    const atStatement = !isLast && killed % 2 === 0;
    const statement = (1 + Math.floor(Math.random() * MAX_STATEMENTS)) * (Math.random() < 0.5 ? 1 : -1);
    const child = program.start(atStatement ? [address, String(statement)] : [address], account.env);
    if (isLast || atStatement) account.spare();
    else account.killSoon(child);
    return child.wasKilled();
  }

  try {
    await program.start([await databases.make(0)], account.env).wasKilled();
    const expected = await allOf(0);
    if (expected.length < 100) differences.push("the uninterrupted run left too little to compare with");
    while (killed < kills) {
      number += 1;
      const at = number;
      const address = await databases.make(at);
      const seen = new Map<unknown, unknown>();
      let version = 0;
      /** Reads what is new, as the outbox of the guide does. */
      const readNew = async () => {
        const sql = `SELECT id, version, transcript FROM notetaker_meetings WHERE version > ${version} ORDER BY version`;
        const rows = await databases.query(at, sql).catch((): Rows => []);
        for (const row of rows) seen.set(row.id, JSON.stringify(row.transcript));
        version = Math.max(version, ...rows.map((row) => Number(row.version)));
      };
      while (await run(address)) {
        killed += 1;
        await readNew();
        if (seen.size > 0) withRows += 1;
        // As three minutes later: the lease of the killed program has ended.
        const free = "UPDATE notetaker_accounts SET holder = NULL, held_until = NULL RETURNING 1";
        await databases.query(at, free).catch(() => []);
      }
      await readNew();
      const found = await allOf(at);
      differences.push(...differing(found, expected).map((text) => `database ${at}: ${text.slice(0, 200)}`));
      const stored = await databases.query(at, "SELECT id, transcript FROM notetaker_meetings");
      const unseen = stored.filter(({ id, transcript }) => seen.get(id) !== JSON.stringify(transcript));
      differences.push(...unseen.map(({ id }) => `database ${at}: the reader of the versions has not seen ${id}`));
    }
    if (withRows === 0) differences.push("no kill struck when a meeting was stored: that promises nothing");
    return {
      promise: `a database of ${name} whose run is killed ends as after an uninterrupted run`,
      differences,
      figures: `${killed} kills, ${withRows} of them when meetings were stored, in ${number} databases of ${expected.length} rows`,
    };
  } finally {
    await account.close();
  }
}

/** The rows that are missing or too many. */
function differing(found: readonly string[], expected: readonly string[]): string[] {
  const [had, wanted] = [new Set(found), new Set(expected)];
  const missing = expected.filter((row) => !had.has(row)).map((row) => `missing: ${row}`);
  const other = found.filter((row) => !wanted.has(row)).map((row) => `wrong: ${row}`);
  const doubled = found.length - had.size - (expected.length - wanted.size);
  return [...missing, ...other, ...(doubled === 0 ? [] : [`${doubled} rows are doubled`])];
}
