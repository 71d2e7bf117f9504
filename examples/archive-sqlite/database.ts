/**
 * SQLite as WebAssembly: it needs no compiler and runs on every version of Node. It holds the database in memory, so
 * each transaction writes a new file and then replaces the old one. For a large archive use `node:sqlite` (Node 22.5
 * and later) or `better-sqlite3`: docs/export.md shows the same program with them.
 */
import { open, readFile, rename } from "node:fs/promises";
import initSqlJs from "sql.js";

type Value = string | null;

export interface ArchiveDatabase {
  run(sql: string, values?: Value[]): void;
  /** The first column of every row. */
  column(sql: string): string[];
  /** Saves all changes of `work` in the file, or none of them. */
  transaction(work: () => void): Promise<void>;
}

export async function openDatabase(path: string): Promise<ArchiveDatabase> {
  const { Database } = await initSqlJs();
  const database = new Database(await readFile(path).catch(() => undefined));
  return {
    run: (sql, values = []) => void database.run(sql, values),
    column: (sql) => (database.exec(sql)[0]?.values ?? []).map(([value]) => String(value)),
    async transaction(work) {
      database.run("BEGIN");
      try {
        work();
      } catch (error) {
        database.run("ROLLBACK");
        throw error;
      }
      database.run("COMMIT");
      const file = await open(`${path}.new`, "w");
      await file.writeFile(database.export());
      await file.sync();
      await file.close();
      await rename(`${path}.new`, path);
    },
  };
}
