/** Checks each query parameter that the API specification does not name against the user's own service. */

import { ASSUMED_QUERY } from "../assumptions.js";
import { throwIfAborted } from "../async/abort.js";
import { checkArgument } from "../errors/argument-errors.js";
import { isRecord } from "../json/is-record.js";
import { DOCUMENT_FORMATS } from "../schemas/document.js";
import { type Group, OF_MEETINGS_ALONE } from "./candidates.js";
import { CheckLog, type Probe } from "./check-log.js";
import { extrasOfLimit, LIST_CHECKS, under } from "./list-checks.js";
import { type List, ListFacts } from "./list-facts.js";
import { type DiagnoseOptions, diagnoseOptionsSchema, type Report } from "./report.js";
import { type DoctorClient, Inconclusive, orReason, type Query, ServiceReader } from "./service-reader.js";

/** How many documents, and how many meetings' permissions, are read until one can be used. */
const MAX_DOCUMENTS = 3;
const MAX_MEETINGS = 12;

const ROOMS: List = { operation: "rooms.list", path: "/rooms", item: "room", expansions: ["documents", "meetings"] };
const MEETINGS: List = { operation: "meetings.list", path: "/meetings", item: "meeting", expansions: ["documents"] };
const PERMISSIONS = { operation: "permissions.list", item: "permission", expansions: [] } as const;

/** The parameters of a list, in the order of their checks. */
const checkedIn = (group: Exclude<Group, "documents">) =>
  (Object.keys(LIST_CHECKS) as (keyof typeof LIST_CHECKS)[]).filter((meaning) => meaning in ASSUMED_QUERY[group]);

const isAlone = (meaning: string) => OF_MEETINGS_ALONE.some((alone) => alone === meaning);

const idsIn = (rows: readonly Record<string, unknown>[], field: string): string[] =>
  rows.flatMap((row) => {
    const items = row[field];
    return Array.isArray(items) ? items.filter(isRecord).map(({ id }) => String(id)) : [];
  });

/** The ids that are safe in a path. */
const usable = (ids: Iterable<string>, prefix: string): string[] =>
  [...new Set(ids)].filter((id) => id.startsWith(prefix) && /^\w+$/.test(id));

class Diagnosis {
  readonly #reader: ServiceReader;
  readonly #log: CheckLog;

  constructor(client: DoctorClient, { signal, onCheck }: DiagnoseOptions) {
    this.#reader = new ServiceReader(client, signal);
    this.#log = new CheckLog(onCheck);
  }

  async run(): Promise<Report> {
    const rooms = await this.#checkList("rooms", await ListFacts.read(this.#reader, ROOMS), checkedIn("rooms"));
    const early = checkedIn("meetings").filter((meaning) => !isAlone(meaning));
    const meetings = await this.#checkList("meetings", await ListFacts.read(this.#reader, MEETINGS), early);
    const expanded = [...(rooms?.expanded ?? []), ...(meetings?.expanded ?? [])];
    await this.#checkFormat(usable(idsIn(expanded, "documents"), "doc_"));
    const meetingIds = usable([...idsIn(expanded, "meetings"), ...(meetings?.ids ?? [])], "mtg_");
    await this.#checkList("permissions", await this.#readPermissions(meetingIds), checkedIn("permissions"));
    if (meetings !== undefined) await this.#checkList("meetings", meetings, OF_MEETINGS_ALONE, rooms);
    const { checks, assumptions } = this.#log;
    const { drift, fields } = this.#reader.log;
    return { checks, assumptions, drift, fields, requests: this.#reader.requests };
  }

  /** Checks the parameters of a list. If the list could not be read, `facts` is the reason, and all are undecided. */
  async #checkList(
    group: Group,
    facts: ListFacts | string,
    meanings: readonly (keyof typeof LIST_CHECKS)[],
    rooms?: ListFacts,
  ): Promise<ListFacts | undefined> {
    if (typeof facts === "string") {
      for (const meaning of Object.keys(ASSUMED_QUERY[group])) await this.#log.check(group, meaning, facts);
      return undefined;
    }
    for (const meaning of meanings) {
      const probe: Probe = async (...names) => LIST_CHECKS[meaning](facts, names, rooms);
      await this.#log.check(group, meaning, probe, meaning === "limit" ? extrasOfLimit(facts) : {});
    }
    return facts;
  }

  /** Looks for a meeting with at least two permissions. Only the permissions of owned meetings can be read. */
  async #readPermissions(meetingIds: readonly string[]): Promise<ListFacts | string> {
    let best: ListFacts | string = "needs a meeting that the account owns, with at least 2 permissions";
    for (const id of meetingIds.slice(0, MAX_MEETINGS)) {
      const template = "/meetings/{meeting_id}/permissions";
      const list = { ...PERMISSIONS, path: `/meetings/${id}/permissions`, template };
      const facts = await ListFacts.read(this.#reader, list);
      if (typeof facts !== "string" && facts.hasTwo) return facts;
      if (typeof best === "string") best = facts;
    }
    return best;
  }

  /** Checks which parameter sets the format of a document. The response names its format. */
  async #checkFormat(documentIds: readonly string[]): Promise<void> {
    let probe: Probe | string = "needs at least 1 document";
    for (const id of documentIds.slice(0, MAX_DOCUMENTS)) {
      probe = await orReason("/documents/{document_id}", () => this.#formatProbe(`/documents/${id}`));
      if (typeof probe !== "string") break;
    }
    await this.#log.check("documents", "format", probe);
  }

  /** Requests another format than the default. The format of the response shows whether a name was honoured. */
  async #formatProbe(path: string): Promise<Probe> {
    const read = async (query?: Query) => formatOf(await this.#reader.read("documents.get", path, query));
    const defaultFormat = await read();
    const requested = DOCUMENT_FORMATS.find((format) => format !== defaultFormat) ?? "html";
    return async (...names) => {
      const format = await read(under(names, requested));
      if (format === requested || format === defaultFormat) return format === requested;
      throw new Inconclusive("the response has another format", "unclear");
    };
  }
}

function formatOf(body: unknown): string {
  if (isRecord(body) && typeof body.format === "string") return body.format;
  throw new Inconclusive("the response has no format", "unclear");
}

/**
 * Finds out which query parameters the service honours. It sends only GET requests, at most 60, within the rate limit.
 * Its report contains no content of the account. A name stays `undecided` if this account has too little data to check
 * it.
 *
 * @throws {UnauthorizedError} {@link UnauthorizedError} if the token is not accepted
 * @throws {ConnectionError} {@link ConnectionError} if the service cannot be reached
 * @throws {RateLimitedError} {@link RateLimitedError} if the service asks for a wait of more than a minute
 * @example
 * const { assumptions } = await diagnose(new Notetaker());
 * const notetaker = new Notetaker({ assumptions });
 */
export async function diagnose(client: DoctorClient, options: DiagnoseOptions = {}): Promise<Report> {
  checkArgument("diagnose", diagnoseOptionsSchema, options);
  throwIfAborted(options.signal);
  return new Diagnosis(client, options).run();
}
