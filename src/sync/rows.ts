/** Reads rows of the meeting list, and transcripts. The valid parts of invalid data are read, and its issue is kept. */
import * as z from "zod/mini";
import { formatIssues } from "../checks/format-issues.js";
import { issueText } from "../errors/one-line.js";
import { isRecord } from "../json/is-record.js";
import { orUndefined } from "../json/or-undefined.js";
import { documentId } from "../schemas/id-schemas.js";
import { isMeetingId } from "../schemas/ids.js";
import { type Meeting, meetingSchema } from "../schemas/meeting.js";
import { type Transcript, transcriptSchema } from "../schemas/transcript.js";

export interface MeetingRow {
  /** The meeting with the fields that a run needs. An invalid field is empty. */
  readonly meeting: Meeting;
  /** The row as it was received, or `meeting` if the row cannot be serialised as JSON. */
  readonly received: unknown;
  /** How the row does not match the API specification. */
  readonly issue: string | undefined;
}

/** Reads the valid fields of a row, or returns `undefined` if the row has no meeting id. */
export function readRow(received: unknown): MeetingRow | undefined {
  if (!isRecord(received) || !isMeetingId(received.id)) return undefined;
  const { data, error } = z.safeParse(meetingSchema, received);
  // `JSON.stringify` is recursive, so it throws for a deeply nested value.
  const fits = orUndefined(() => JSON.stringify(received)) !== undefined;
  if (data !== undefined && fits) return { meeting: data, received, issue: undefined };
  const meeting = readMeeting(received);
  return { meeting, received: fits ? received : meeting, issue: firstIssue(error, received) ?? TOO_DEEP };
}

const TOO_DEEP = "meeting: it is nested too deeply to be written as JSON";

/** The documents of a row that can be requested. */
interface ListedDocuments {
  readonly documents: readonly { readonly id: string; readonly title: string | null; readonly created: string }[];
  /** Whether each entry of the list could be read. Otherwise an odd one may be any document. */
  readonly isWhole: boolean;
}

/** `undefined`: the row has no list of documents, so it says nothing of them. */
export function listedDocuments({ received }: MeetingRow): ListedDocuments | undefined {
  if (!isRecord(received) || !Array.isArray(received.documents)) return undefined;
  const entries: readonly unknown[] = received.documents;
  const documents = entries.flatMap((entry) => {
    if (!isRecord(entry) || typeof entry.id !== "string" || !z.safeParse(documentId, entry.id).success) return [];
    const { id, title, created_at } = entry;
    const created = typeof created_at === "string" ? created_at : "";
    return [{ id, title: typeof title === "string" ? title : null, created }];
  });
  return { documents, isWhole: documents.length === entries.length };
}

export function firstIssue(error: z.core.$ZodError | undefined, received: unknown): string | undefined {
  const [issue] = error === undefined ? [] : formatIssues(error.issues, received);
  return issue && issueText(issue);
}

/**
 * The readable part of a transcript, and its issue. There is none without a list of segments. A segment that is not an
 * object is left out; every other segment is kept.
 */
export function readTranscript(received: unknown): { transcript: Transcript | undefined; issue: string | undefined } {
  const { data, error } = z.safeParse(transcriptSchema, received);
  const isReadable = isRecord(received) && Array.isArray(received.segments);
  const transcript = data ?? (isReadable ? (z.parse(lenientTranscript, received) as Transcript) : undefined);
  return { transcript, issue: firstIssue(error, received) };
}

const lenientMeeting = /* @__PURE__ */ lenient(meetingSchema);
const lenientTranscript = /* @__PURE__ */ lenient(transcriptSchema);

/** The valid parts of a meeting. A document without a valid id cannot be requested, so it is left out. */
function readMeeting(received: unknown): Meeting {
  const meeting = z.parse(lenientMeeting, received) as Meeting;
  return { ...meeting, documents: meeting.documents?.filter(({ id }) => z.safeParse(documentId, id).success) ?? null };
}

/** What stands for an invalid value that the service always sends. A time of `NaN` is missing in a transcript. */
const BLANK: Readonly<Record<string, unknown>> = { string: "", number: Number.NaN };

interface Definition {
  readonly type: string;
  readonly innerType: z.ZodMiniType;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
}

function definitionOf(schema: z.core.$ZodType): Definition & { readonly item: z.core.$ZodType | undefined } {
  const { item } = schema as { readonly item?: z.core.$ZodType };
  return { ...(schema._zod.def as unknown as Definition), item };
}

/**
 * The schema of an object with the same fields, of which none needs to be valid. A value is read as `null` if the
 * service may leave it out, and as blank otherwise. Any string is valid, and any list: its invalid items are left out.
 */
function lenient(schema: z.core.$ZodType): z.ZodMiniType {
  const { type, shape, item } = definitionOf(schema);
  if (item !== undefined) return listOf(lenient(item));
  if (shape === undefined) return type === "string" ? z.string() : (schema as z.ZodMiniType);
  return z.object(Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, lenientField(field)])));
}

function lenientField(schema: z.ZodMiniType): z.ZodMiniType {
  const { type, innerType, item } = definitionOf(schema);
  if (type === "optional") return lenientField(innerType);
  if (type === "nullable") return z.catch(z.nullable(lenient(innerType)), null);
  return z.catch(lenient(schema), () => (item === undefined ? BLANK[type] : []));
}

function listOf(item: z.ZodMiniType): z.ZodMiniType {
  const valid = (items: unknown[]) => items.flatMap((one) => z.safeParse(item, one).data ?? []);
  return z.pipe(z.array(z.unknown()), z.transform(valid));
}
