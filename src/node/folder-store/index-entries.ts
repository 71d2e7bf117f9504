/** `index.json` lists every saved file and its meeting, for people and programs that read the folder. */
import * as z from "zod/mini";
import { isNameOf } from "./file-names.js";
import { type FolderFiles, jsonBytes } from "./folder-files.js";
import { type FolderRecord, isFileInMeeting } from "./record.js";

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

const indexSchema = z.array(
  z
    .object({
      id: z.string(),
      title: z.nullable(z.string()),
      date: z.string(),
      file: z.string(),
      meeting_id: z.string(),
    } satisfies Record<keyof IndexEntry, z.ZodMiniType>)
    .check(z.refine(isOfMeeting)),
);

/** Whether the file is in the folder of its meeting. */
function isOfMeeting({ file, meeting_id }: IndexEntry): boolean {
  const slash = file.indexOf("/");
  return isNameOf(meeting_id, file.slice(0, slash)) && isFileInMeeting(file.slice(slash + 1));
}

/** The entries of each meeting, by its id; `undefined` if there is no index, or one that the store did not write. */
export async function readIndex(files: FolderFiles): Promise<Map<string, IndexEntry[]> | undefined> {
  const { data } = z.safeParse(indexSchema, await files.readJson(INDEX));
  if (data === undefined) return undefined;
  const byMeeting = new Map<string, IndexEntry[]>();
  for (const entry of data) {
    const entries = byMeeting.get(entry.meeting_id);
    if (entries === undefined) byMeeting.set(entry.meeting_id, [entry]);
    else entries.push(entry);
  }
  return byMeeting;
}

/** There are none without a record. */
export function entriesOf(record: FolderRecord | undefined): IndexEntry[] {
  if (record === undefined) return [];
  const { id, title, date, folder, files } = record;
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
