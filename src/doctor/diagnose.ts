/** Checks each query parameter that the API specification does not name against the user's own service. */
import { ASSUMED_QUERY } from "../assumptions.js";
import { throwIfAborted } from "../async/abort.js";
import type { Notetaker } from "../client.js";
import { getDocument } from "../endpoints/documents.js";
import { listMeetings } from "../endpoints/meetings.js";
import { listPermissions } from "../endpoints/permissions.js";
import { listRooms } from "../endpoints/rooms.js";
import { checkArgument, checkClient } from "../errors/check-arguments.js";
import { type IdKind, idProblem } from "../schemas/ids.js";
import { MEETING_EXPANSIONS } from "../schemas/meeting.js";
import { ROOM_EXPANSIONS } from "../schemas/room.js";
import type { QueryRecord } from "../transport/query.js";
import { find, idsOf, needed, PROBES, type ReadList, readPage } from "./probes.js";
import { type Check, type DiagnoseOptions, diagnoseOptionsSchema, type Report } from "./report.js";
import { Inconclusive, ServiceReader } from "./service-reader.js";

type Group = keyof typeof ASSUMED_QUERY;

/** How many meetings' permissions are read until one has two. */
const MAX_MEETINGS = 12;

/** The ids that the client accepts. */
const usable = (kind: IdKind, ids: readonly string[]) =>
  [...new Set(ids)].filter((id) => idProblem(kind, id) === undefined);

const idsIn = (list: ReadList | undefined, field: string) => (list?.expanded ?? []).flatMap((row) => idsOf(row[field]));

type Request = (query: QueryRecord) => Promise<unknown>;

async function open(item: string, expansions: readonly string[], request: Request): Promise<ReadList> {
  const read: ReadList["read"] = async (query) => readPage(await request(query), query);
  const first = await read({});
  return { item, expansions, first, before: first, expanded: first.rows, read };
}

async function openPermissions(service: ServiceReader, meetingIds: readonly string[]): Promise<ReadList> {
  let reason = "needs a meeting that the account owns, with at least 2 permissions";
  for (const meetingId of meetingIds.slice(0, MAX_MEETINGS)) {
    try {
      const list = await open("permission", [], (query) => service.read(listPermissions, query, { meetingId }));
      if (list.first.rows.length > 1) return list;
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      reason = error.message;
    }
  }
  throw new Inconclusive(reason);
}

/** The document, as a list of one. */
async function openDocument(service: ServiceReader, documentId: string | undefined): Promise<ReadList> {
  needed(documentId, "at least 1 document");
  return open("document", [], async (query) => ({ data: [await service.read(getDocument, query, { documentId })] }));
}

/**
 * Finds out which query parameters the service honours: one check for each name. It sends at most 60 requests, all of
 * them GET, within the rate limit. Its report contains no content of the account.
 * @throws {UnauthorizedError} if the token is not accepted
 * @throws {ConnectionError} if the service cannot be reached
 * @throws {RateLimitedError} if the service asks for a wait of more than a minute
 * @example
 * const { checks } = await diagnose(new Notetaker());
 * console.log(checks.filter(({ verdict }) => verdict === "differs"));
 */
export async function diagnose(client: Notetaker, options: DiagnoseOptions = {}): Promise<Report> {
  checkClient("diagnose", client);
  checkArgument("diagnose", diagnoseOptionsSchema, options);
  throwIfAborted(options.signal);
  const service = new ServiceReader(client, options.signal);
  const checks: Check[] = [];

  async function check(group: Group, opened: Promise<ReadList>, rooms?: ReadList): Promise<ReadList | undefined> {
    for (const [meaning, [title, shows]] of Object.entries(PROBES)) {
      const name = (ASSUMED_QUERY[group] as Readonly<Record<string, string>>)[meaning];
      if (name === undefined) continue;
      const [verdict, detail] = await find(name, opened, shows, rooms);
      const source = group === "permissions" ? "guessed" : "documented";
      const found: Check = { id: `${group}.${meaning}`, title: `${group}: ${title}`, verdict, source, detail };
      checks.push(found);
      options.onCheck?.({ ...found });
    }
    // A list that cannot be read has left its names undecided.
    return opened.catch(() => undefined);
  }

  const rooms = await check(
    "rooms",
    open("room", ROOM_EXPANSIONS, (query) => service.read(listRooms, query)),
  );
  const meetings = await check(
    "meetings",
    open("meeting", MEETING_EXPANSIONS, (query) => service.read(listMeetings, query)),
    rooms,
  );
  const [documentId] = usable("documentId", [...idsIn(rooms, "documents"), ...idsIn(meetings, "documents")]);
  await check("documents", openDocument(service, documentId));
  const meetingIds = usable("meetingId", [...idsIn(rooms, "meetings"), ...idsOf(meetings?.first.rows)]);
  await check("permissions", openPermissions(service, meetingIds));
  return { checks, requests: service.requests };
}
