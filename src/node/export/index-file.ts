/** `index.json` lists every saved file and its meeting, for people and programs that read the folder. */
import * as z from "zod/mini";
import { custom } from "../../schemas/primitives.js";
import { isNameOf } from "../folder-store/file-names.js";
import { jsonBytes, type SinkWriter } from "../sink/sink.js";
import type { SavedMeeting } from "./saved-meetings.js";

const INDEX = "index.json";

/** An entry of `index.json`: a file that was saved. */
export interface IndexEntry {
  /** `mtg_…` or, for a document, `doc_…` */
  id: string;
  /** The title of the document for a document, else of the meeting; `null` if it has none. */
  title: string | null;
  /** The start time of the meeting, as the service sent it. */
  date: string;
  /** The path of the file, relative to the index. */
  file: string;
  /** The meeting that the file belongs to: `mtg_…` */
  meeting_id: string;
}

const entrySchema = z.object({
  id: z.string(),
  title: z.nullable(z.string()),
  date: z.string(),
  file: custom<string>((value) => typeof value === "string" && value.split("/").length > 1, "a path"),
  meeting_id: z.string(),
} satisfies Record<keyof IndexEntry, z.ZodMiniType>);

/** The entries of an earlier run by meeting id. Entries that this library did not write are left out. */
export async function readIndex(sink: SinkWriter): Promise<Map<string, IndexEntry[]>> {
  const received = await sink.readJson(INDEX);
  const byMeeting = new Map<string, IndexEntry[]>();
  for (const one of Array.isArray(received) ? received : []) {
    const { data: entry } = z.safeParse(entrySchema, one);
    if (entry === undefined || !isNameOf(entry.meeting_id, entry.file.split("/")[0])) continue;
    const entries = byMeeting.get(entry.meeting_id);
    if (entries === undefined) byMeeting.set(entry.meeting_id, [entry]);
    else entries.push(entry);
  }
  return byMeeting;
}

export const entriesOf = ({ id, title, date, folder, files }: SavedMeeting): IndexEntry[] => [
  { id, title, date, file: `${folder}/meeting.json`, meeting_id: id },
  ...[...files.values()].flatMap(({ version, ...saved }) => {
    if (version === null) return [];
    const file = `${folder}/${saved.file}`;
    return { id: saved.id, title: saved.id === id ? title : saved.title, date, file, meeting_id: id };
  }),
];

export async function writeIndex(sink: SinkWriter, entries: readonly IndexEntry[]): Promise<void> {
  const sorted = [...entries].sort((a, b) => compare(b.date, a.date) || compare(a.file, b.file));
  await sink.writeChanged(INDEX, jsonBytes(sorted));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
