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
import { PROBES, type ReadList, readPage } from "./probes.js";
import { type Check, type DiagnoseOptions, diagnoseOptionsSchema, type Report, type Verdict } from "./report.js";
import { type DoctorClient, Inconclusive, type Query, ServiceReader } from "./service-reader.js";

type Group = keyof typeof ASSUMED_QUERY;
type Judgement = readonly [verdict: Verdict, detail: string];

/** How many meetings' permissions are read until one has two. */
const MAX_MEETINGS = 12;

const verdictOf = (shown: boolean | undefined): Verdict => {
  if (shown === undefined) return "undecided";
  return shown ? "confirmed" : "differs";
};

/** A request without the name: its failure says nothing about the name. */
const unnamed = <T>(reading: Promise<T>): Promise<T> =>
  reading.catch((error: unknown) => {
    throw error instanceof Inconclusive ? new Inconclusive(error.message) : error;
  });

/** The ids that the client accepts. */
const usable = (kind: IdKind, ids: readonly unknown[]) =>
  [...new Set(ids)].filter((id) => idProblem(kind, id) === undefined);

const idsIn = (lists: readonly (ReadList | undefined)[], field: string): unknown[] =>
  lists
    .flatMap((list) => (list?.expanded ?? []).map((row) => row[field]))
    .flatMap((items) => (Array.isArray(items) ? items.filter(isRecord).map(({ id }) => id) : []));

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
    await this.#checkFormat(usable("documentId", idsIn([rooms, meetings], "documents"))[0]);
    const meetingIds = [...idsIn([rooms], "meetings"), ...(meetings?.first.rows ?? []).map(({ id }) => id)];
    await this.#checkList("permissions", this.#permissionsOf(usable("meetingId", meetingIds)));
    const ids = Object.entries(ASSUMED_QUERY).flatMap(([group, names]) =>
      Object.keys(names).map((meaning) => `${group}.${meaning}`),
    );
    return { checks: ids.flatMap((id) => this.#checks.get(id) ?? []), requests: this.#reader.requests };
  }

  async #read(endpoint: Endpoint, item: string, expansions: readonly string[], meetingId?: unknown): Promise<ReadList> {
    const read = async (query: Query = {}) => readPage(await this.#reader.read(endpoint, { meetingId }, query));
    const first = await unnamed(read());
    return { item, expansions, first, before: { page: first, query: {} }, expanded: first.rows, read };
  }

  /** The permissions of a meeting that has at least two. */
  async #permissionsOf(meetingIds: readonly unknown[]): Promise<ReadList> {
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
    for (const [meaning, { title, needs, value, shows, beside }] of Object.entries(PROBES)) {
      if (!(meaning in ASSUMED_QUERY[group])) continue;
      await this.#check(group, meaning, title, async (name) => {
        list = await reading;
        const sent = value(list, rooms);
        if (sent === undefined) throw new Inconclusive(`needs ${needs.replace("%", list.item)}`);
        const page = await list.read({ ...beside?.(list), [name]: sent });
        const { length } = page.rows;
        const shown = await shows(page, { list, rooms, name, value: sent });
        const asked = typeof sent === "number" ? `${name}=${sent}` : name;
        const detail = `${asked} returned ${length} ${list.item}${length === 1 ? "" : "s"}`;
        return [verdictOf(shown), shown === undefined ? `${detail}, which does not tell` : detail];
      });
    }
    return list;
  }

  /** The format of the response shows whether the name of the format was honoured. */
  #checkFormat(documentId: unknown): Promise<void> {
    return this.#check("documents", "format", "output format", async (name) => {
      if (documentId === undefined) throw new Inconclusive("needs at least 1 document");
      const formatOf = async (query: Query = {}) => {
        const body = await this.#reader.read(getDocument, { documentId }, query);
        if (isRecord(body) && typeof body.format === "string") return body.format;
        throw new Inconclusive("the response has no format");
      };
      const usual = await unnamed(formatOf());
      const requested = DOCUMENT_FORMATS.find((format) => format !== usual) ?? "html";
      const format = await formatOf({ [name]: requested });
      const shown = format === requested || (format === usual ? false : undefined);
      return [verdictOf(shown), `${name}=${requested} returned ${shown ? "this format" : "another format"}`];
    });
  }

  async #check(group: Group, meaning: string, title: string, judge: (name: string) => Promise<Judgement>) {
    const name = (ASSUMED_QUERY[group] as Readonly<Record<string, string>>)[meaning] as string;
    const [verdict, detail] = await judge(name).catch((error: unknown): Judgement => {
      if (!(error instanceof Inconclusive)) throw error;
      const { refusedWith, message } = error;
      if (refusedWith === undefined) return ["undecided", message];
      return ["differs", `the service refuses ${name} with ${refusedWith}`];
    });
    const source = group === "permissions" ? "guessed" : "documented";
    const check: Check = { id: `${group}.${meaning}`, title: `${group}: ${title}`, verdict, source, detail };
    this.#checks.set(check.id, check);
    this.options.onCheck?.({ ...check });
  }
}

/**
 * Finds out which query parameters the service honours: one check for each name. It sends at most 60 requests, all of them
 * GET, within the rate limit. Its report contains no content of the account.
 *
 * @throws {UnauthorizedError} {@link UnauthorizedError} if the token is not accepted
 * @throws {ConnectionError} {@link ConnectionError} if the service cannot be reached
 * @throws {RateLimitedError} {@link RateLimitedError} if the service asks for a wait of more than a minute
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
