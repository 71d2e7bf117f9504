/** The folder keeps what every store promises. */
import { folderStore } from "notetaker-sdk/node";
import { expect } from "vitest";
import { filesIn, temporaryFolder } from "../../support/temporary-folder.js";
import { storeContract, type VisibleMeeting } from "../../sync/store/store-contract.js";
import { documentOf } from "../../sync/store/store-items.js";

const FORMATS: Readonly<Record<string, string>> = { md: "markdown", html: "html" };

/** What a user reads in the folder, and what the record of the meeting says is missing. */
async function read(folder: string, id: string): Promise<VisibleMeeting | undefined> {
  const files = await filesIn(folder);
  const parse = (path: string) => JSON.parse(files[path] ?? "null");
  const index: { id: string; title: string; file: string; meeting_id: string }[] = parse("index.json") ?? [];
  // While a run holds the folder, the index is written each minute.
  if (files[".notetaker/lock"] === undefined) {
    const visible = Object.keys(files).filter((path) => path.includes("/") && !path.startsWith("."));
    expect(index.map(({ file }) => file).sort()).toEqual(visible.sort());
  }
  const own = index.filter(({ meeting_id }) => meeting_id === id);
  const row = own.find(({ file }) => file.endsWith("/meeting.json"));
  if (row === undefined) return undefined;
  const { notetaker_gone: isGone = false, ...meeting } = parse(row.file);
  const transcript = own.find(({ file }) => /\/transcript\.(received\.)?json$/.test(file));
  const documents = own.flatMap(({ id, title, file }) => {
    if (/\/documents\/.*\.received\.json$/.test(file)) return parse(file);
    const format = FORMATS[/\/documents\/.*\.(\w+)$/.exec(file)?.[1] ?? ""];
    // A file has no date: all documents of the contract have the same.
    return format === undefined ? [] : { ...documentOf(id, format), title, content: files[file] ?? "" };
  });
  const records = Object.keys(files).filter((path) => path.startsWith(".notetaker/meetings/"));
  const missing = records.map(parse).find((record) => record.id === id)?.missing;
  return { meeting, transcript: transcript && parse(transcript.file), documents, missing, isGone };
}

storeContract(
  "folderStore",
  async () => {
    const folder = temporaryFolder();
    return {
      store: folderStore(folder),
      another: () => folderStore(folder),
      read: (id) => read(folder, id),
    };
  },
  { isExclusive: true },
);
