/** Checks each query parameter that the API specification does not name against the user's own service. */

import { ASSUMED_QUERY } from "../assumptions.js";
import { throwIfAborted } from "../async/abort.js";
import { checkArgument } from "../errors/argument-errors.js";
import { isRecord } from "../json/is-record.js";
import { DOCUMENT_FORMATS } from "../schemas/document.js";
import { CheckLog, type Probe } from "./check-log.js";
import { ListFacts } from "./list-facts.js";
import { DOCUMENTS, LISTS, type List, type ListGroup } from "./lists.js";
import { LIST_PARAMETERS, type ListMeaning, type Meaning, under } from "./parameters.js";
import { type DiagnoseOptions, diagnoseOptionsSchema, type Report } from "./report.js";
import { type DoctorClient, Inconclusive, orReason, type Query, ServiceReader } from "./service-reader.js";

/** How many documents, and how many lists of meetings, are read until one can be used. */
const MAX_DOCUMENTS = 3;
const MAX_MEETINGS = 12;

/** In the order of the checks. */
const LIST_GROUPS = /* @__PURE__ */ Object.keys(LISTS) as ListGroup[];
const isOfMeeting = (group: ListGroup) => LISTS[group].endpoint.path.includes("{meetingId}");

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
  /** The lists that could be read. */
  readonly #lists = new Map<ListGroup, ListFacts>();

  constructor(client: DoctorClient, { signal, onCheck }: DiagnoseOptions) {
    this.#reader = new ServiceReader(client, signal);
    this.#log = new CheckLog(onCheck);
  }

  async run(): Promise<Report> {
    for (const group of LIST_GROUPS.filter((group) => !isOfMeeting(group))) {
      await this.#checkList(group, await ListFacts.read(this.#reader, LISTS[group]));
    }
    const expanded = [...this.#lists.values()].flatMap((facts) => facts.expanded);
    await this.#checkFormat(usable(idsIn(expanded, "documents"), "doc_"));
    const meetingIds = usable([...idsIn(expanded, "meetings"), ...(this.#lists.get("meetings")?.ids ?? [])], "mtg_");
    for (const group of LIST_GROUPS.filter(isOfMeeting)) {
      await this.#checkList(group, await this.#readOfMeeting(LISTS[group], meetingIds));
    }
    for (const [group, facts] of this.#lists) await this.#checkParameters(group, facts, true);
    const { checks, assumptions } = this.#log;
    const { drift, fields } = this.#reader.log;
    return { checks, assumptions, drift, fields, requests: this.#reader.requests };
  }

  /** Checks a list. If it could not be read, `facts` is the reason, and all its parameters are undecided. */
  async #checkList(group: ListGroup, facts: ListFacts | string): Promise<void> {
    if (typeof facts === "string") {
      for (const meaning of Object.keys(ASSUMED_QUERY[group])) await this.#log.check(group, meaning as Meaning, facts);
      return;
    }
    this.#lists.set(group, facts);
    await this.#checkParameters(group, facts, false);
  }

  /** Checks those parameters of a list that are checked at once, or those that are checked last. */
  async #checkParameters(group: ListGroup, facts: ListFacts, areLast: boolean): Promise<void> {
    for (const [meaning, { check, extras, isLast = false }] of Object.entries(LIST_PARAMETERS)) {
      if (!(meaning in ASSUMED_QUERY[group]) || isLast !== areLast) continue;
      const probe: Probe = async (...names) => check(facts, names, this.#lists.get("rooms"));
      await this.#log.check(group, meaning as ListMeaning, probe, extras?.(facts));
    }
  }

  /** Looks for a meeting with at least two items in its list. */
  async #readOfMeeting(list: List, meetingIds: readonly string[]): Promise<ListFacts | string> {
    const owned = list.ownerOnly ? " that the account owns" : "";
    let best: ListFacts | string = `needs a meeting${owned}, with at least 2 ${list.item}s`;
    for (const id of meetingIds.slice(0, MAX_MEETINGS)) {
      const facts = await ListFacts.read(this.#reader, list, id);
      if (typeof facts !== "string" && facts.hasTwo) return facts;
      if (typeof best === "string") best = facts;
    }
    return best;
  }

  /** Checks which parameter sets the format of a document. The response names its format. */
  async #checkFormat(documentIds: readonly string[]): Promise<void> {
    let probe: Probe | string = "needs at least 1 document";
    for (const id of documentIds.slice(0, MAX_DOCUMENTS)) {
      probe = await orReason(DOCUMENTS.endpoint, () => this.#formatProbe(id));
      if (typeof probe !== "string") break;
    }
    await this.#log.check("documents", "format", probe);
  }

  /** Requests another format than the default. The format of the response shows whether a name was honoured. */
  async #formatProbe(documentId: string): Promise<Probe> {
    const read = async (query?: Query) => formatOf(await this.#reader.read(DOCUMENTS.endpoint, documentId, query));
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
