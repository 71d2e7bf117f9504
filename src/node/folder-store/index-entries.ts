/** `index.json` lists every saved file and its meeting, for people and programs that read the folder. */
import { jsonBytes } from "./folder-files.js";
import type { FolderRecord } from "./record.js";

export const INDEX = "index.json";

/** An entry of `index.json`: a file that was saved. */
export interface IndexEntry {
  /** `mtg_…` or, for a document, `doc_…` */
  readonly id: string;
  /** The title of the document for a document, else of the meeting; `null` if it has none. */
  readonly title: string | null;
  /** The start time of the meeting, as the service sent it. */
  readonly date: string;
  /** The path of the file, relative to the index. */
  readonly file: string;
  /** The meeting that the file belongs to: `mtg_…` */
  readonly meeting_id: string;
}

export function entriesOf({ id, title, date, folder, files }: FolderRecord): IndexEntry[] {
  const saved = [...files.values()].filter(({ isSaved }) => isSaved);
  return saved.map((one) => {
    const ofDocument = one.file.startsWith("documents/");
    return {
      id: one.id,
      title: ofDocument ? one.title : title,
      date,
      file: `${folder}/${one.file}`,
      meeting_id: id,
    };
  });
}

/** The newest meeting comes first. */
export const indexBytes = (entries: IndexEntry[]): Uint8Array =>
  jsonBytes(entries.sort((a, b) => compare(b.date, a.date) || compare(a.file, b.file)));

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
