/** Checks each query parameter that the API specification does not name against the user's own service. */
import { ASSUMED_QUERY } from "../assumptions.js";
import { throwIfAborted } from "../async/abort.js";
import { getDocument } from "../endpoints/documents.js";
import type { Endpoint } from "../endpoints/endpoint.js";
import { listMeetings } from "../endpoints/meetings.js";
import { listPermissions } from "../endpoints/permissions.js";
import { listRooms } from "../endpoints/rooms.js";
import { checkArgument, checkClient } from "../errors/check-arguments.js";
import { isRecord } from "../json/is-record.js";
import { DOCUMENT_FORMATS } from "../schemas/document.js";
import { type IdKind, idProblem } from "../schemas/ids.js";
import { MEETING_EXPANSIONS } from "../schemas/meeting.js";
import { ROOM_EXPANSIONS } from "../schemas/room.js";
import { idsOf, needed, PROBES, type ReadList, readPage } from "./probes.js";
import { type Check, type DiagnoseOptions, diagnoseOptionsSchema, type Report, type Verdict } from "./report.js";
import { type DoctorClient, Inconclusive, type SentQuery, ServiceReader } from "./service-reader.js";

type Group = keyof typeof ASSUMED_QUERY;

/** What a check finds out about a name. Rejects with {@link Inconclusive} if nothing is shown. */
type Judge = (name: string) => Promise<readonly [shown: boolean | undefined, detail: string]>;

/** A request without the name: that the service refuses it says nothing about the name. */
const unnamed = <T>(reading: Promise<T>): Promise<T> =>
  reading.catch((error: unknown) => {
    throw error instanceof Inconclusive ? new Inconclusive(error.message) : error;
  });

/** How many meetings' permissions are read until one has two. */
const MAX_MEETINGS = 12;

const verdictOf = (shown: boolean | undefined): Verdict => {
  if (shown === undefined) return "undecided";
  return shown ? "confirmed" : "differs";
};

/** The ids that the client accepts. */
const usable = (kind: IdKind, ids: readonly string[]) =>
  [...new Set(ids)].filter((id) => idProblem(kind, id) === undefined);

const idsIn = (list: ReadList | undefined, field: string) => (list?.expanded ?? []).flatMap((row) => idsOf(row[field]));

class Diagnosis {
  readonly #reader: ServiceReader;
  readonly #checks = new Map<string, Check>();

  constructor(
    client: DoctorClient,
    private readonly options: DiagnoseOptions,
  ) {
    this.#reader = new ServiceReader(client, options.signal);
  }

  async run(): Promise<Report> {
    const rooms = await this.#checkList("rooms", this.#read(listRooms, "room", ROOM_EXPANSIONS));
    const meetings = await this.#checkList("meetings", this.#read(listMeetings, "meeting", MEETING_EXPANSIONS), rooms);
    const [documentId] = usable("documentId", [...idsIn(rooms, "documents"), ...idsIn(meetings, "documents")]);
    await this.#check("documents", "format", "output format", (name) => this.#judgeFormat(documentId, name));
    const meetingIds = usable("meetingId", [...idsIn(rooms, "meetings"), ...idsOf(meetings?.first.rows)]);
    await this.#checkList("permissions", this.#permissionsOf(meetingIds));
    const ids = Object.entries(ASSUMED_QUERY).flatMap(([group, names]) =>
      Object.keys(names).map((meaning) => `${group}.${meaning}`),
    );
    return { checks: ids.flatMap((id) => this.#checks.get(id) ?? []), requests: this.#reader.requests };
  }

  async #read(endpoint: Endpoint, item: string, expansions: readonly string[], meetingId?: string): Promise<ReadList> {
    const read = async (query: SentQuery) => readPage(await this.#reader.read(endpoint, { meetingId }, query), query);
    const first = await unnamed(read({}));
    return { item, expansions, first, before: first, expanded: first.rows, read };
  }

  async #permissionsOf(meetingIds: readonly string[]): Promise<ReadList> {
    let reason = "needs a meeting that the account owns, with at least 2 permissions";
    for (const id of meetingIds.slice(0, MAX_MEETINGS)) {
      try {
        const list = await this.#read(listPermissions, "permission", [], id);
        if (list.first.rows.length > 1) return list;
      } catch (error) {
        if (!(error instanceof Inconclusive)) throw error;
        reason = error.message;
      }
    }
    throw new Inconclusive(reason);
  }

  /** Checks each name of a list, if it can be read. */
  async #checkList(group: Group, reading: Promise<ReadList>, rooms?: ReadList): Promise<ReadList | undefined> {
    let list: ReadList | undefined;
    for (const [meaning, [title, shows]] of Object.entries(PROBES)) {
      if (!(meaning in ASSUMED_QUERY[group])) continue;
      await this.#check(group, meaning, title, async (name) => {
        list = await reading;
        const { item, read } = list;
        let detail = "";
        const ask = async (value: SentQuery[string], beside: SentQuery = {}) => {
          const page = await read({ ...beside, [name]: value });
          const { length } = page.rows;
          const asked = typeof value === "number" ? `${name}=${value}` : name;
          detail = `${asked} returned ${length} ${item}${length === 1 ? "" : "s"}`;
          return page;
        };
        const shown = await shows(list, ask, rooms);
        return [shown, shown === undefined ? `${detail}, which does not tell` : detail];
      });
    }
    return list;
  }

  /** The format of the response shows whether the name of the format was honoured. */
  async #judgeFormat(id: string | undefined, name: string): ReturnType<Judge> {
    const documentId = needed(id, "at least 1 document");
    const formatOf = async (query: SentQuery) => {
      const body = await this.#reader.read(getDocument, { documentId }, query);
      if (isRecord(body) && typeof body.format === "string") return body.format;
      throw new Inconclusive("the response has no format");
    };
    const usual = await unnamed(formatOf({}));
    const requested = DOCUMENT_FORMATS.find((format) => format !== usual) ?? "html";
    const format = await formatOf({ [name]: requested });
    const detail = `${name}=${requested} returned ${format === requested ? "this format" : "another format"}`;
    return [format === requested || (format === usual ? false : undefined), detail];
  }

  async #check(group: Group, meaning: string, title: string, judge: Judge): Promise<void> {
    const name = (ASSUMED_QUERY[group] as Readonly<Record<string, string>>)[meaning] as string;
    const [shown, detail] = await judge(name).catch((error: unknown) => {
      if (!(error instanceof Inconclusive)) throw error;
      const { refusedWith, message } = error;
      if (refusedWith === undefined) return [undefined, message] as const;
      return [false, `the service refuses ${name} with ${refusedWith}`] as const;
    });
    const source = group === "permissions" ? "guessed" : "documented";
    const verdict = verdictOf(shown);
    const check: Check = { id: `${group}.${meaning}`, title: `${group}: ${title}`, verdict, source, detail };
    this.#checks.set(check.id, check);
    this.options.onCheck?.({ ...check });
  }
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
export async function diagnose(client: DoctorClient, options: DiagnoseOptions = {}): Promise<Report> {
  checkClient("diagnose", client);
  checkArgument("diagnose", diagnoseOptionsSchema, options);
  throwIfAborted(options.signal);
  return new Diagnosis(client, options).run();
}
