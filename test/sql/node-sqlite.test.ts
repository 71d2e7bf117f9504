/** The SQLite of Node 22.16 and later; sqlite.slow.test.ts has that of WebAssembly, for every version. */
import type { SqliteDatabase } from "notetaker-sdk/sql";
import { describe } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";
import { storeContract } from "../sync/store/store-contract.js";
import { openedSqlite } from "./databases.js";
import { readMeeting } from "./visible.js";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

describe.runIf(major > 22 || (major === 22 && minor >= 16))("node:sqlite", () => {
  storeContract("sqliteStore over two connections of node:sqlite", async () => {
    const path = `${temporaryFolder()}/meetings.sqlite`;
    const { DatabaseSync } = await import("node:sqlite" as string);
    const open = () => openedSqlite(new DatabaseSync(path) as SqliteDatabase & { close(): void });
    const [first, second] = [open(), open()];
    return {
      store: first.store(),
      another: () => second.store(),
      read: (id) => readMeeting(first.query, id),
      async close() {
        await first.close();
        await second.close();
      },
    };
  });
});
