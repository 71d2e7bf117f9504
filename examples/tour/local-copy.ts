/** Where the last step stores the meetings: in a SQLite file, or without `node:sqlite` in a folder. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MeetingStore } from "notetaker-sdk";
import { folderStore } from "notetaker-sdk/node";
import { sqliteStore } from "notetaker-sdk/sql";

export async function localCopy(): Promise<{ store: MeetingStore; path: string }> {
  const folder = await mkdtemp(join(tmpdir(), "notetaker-tour-"));
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 16)) return { store: folderStore(folder), path: folder };
  const { DatabaseSync } = await import("node:sqlite" as string);
  const path = join(folder, "meetings.sqlite");
  return { store: sqliteStore(new DatabaseSync(path)), path };
}
