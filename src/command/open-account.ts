/** Opens the archive of the account that `--account` names. */
import { driverOf } from "../sql/drivers.js";
import { type Archive, openArchive } from "../sql/search/archive.js";
import { UsageError } from "./command.js";
import type { OpenDatabase } from "./open-store.js";

const MAX_NAMES = 50;

/** Throws a {@link UsageError} with the names of the accounts, if the database has others, but not this one. */
export async function openAccount({ database }: OpenDatabase, account: string | undefined): Promise<Archive> {
  const archive = openArchive(database, { account });
  const names = await accountsOf(database);
  if (names === undefined || names.includes(account ?? "") || (names.length === 0 && account === undefined)) {
    return archive;
  }
  const known = names.slice(0, MAX_NAMES).map((name) => JSON.stringify(name));
  const more = names.length > MAX_NAMES ? ", …" : "";
  const has = names.length === 0 ? "no account" : `${known.join(", ")}${more}`;
  const what = account === undefined ? "choose an account" : "the database has no account of this name";
  throw new UsageError(`--account: ${what}; it has ${has}`);
}

/** `undefined` without tables or a connection: the archive says what to do about it. */
async function accountsOf(database: OpenDatabase["database"]): Promise<string[] | undefined> {
  try {
    const sql = "SELECT account FROM notetaker_accounts ORDER BY account";
    const rows = (await driverOf("search", database).all(sql, [])) as readonly { account: string }[];
    return rows.map((row) => row.account);
  } catch {
    return undefined;
  }
}
