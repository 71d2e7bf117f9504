/** Checks each query parameter that the API specification does not name against the user's own service. */

import { ASSUMED_QUERY } from "../assumptions.js";
import { throwIfAborted } from "../async/abort.js";
import { getDocument } from "../endpoints/documents.js";
import { checkArgument, checkClient } from "../errors/check-arguments.js";
import { isRecord } from "../json/is-record.js";
import { DOCUMENT_FORMATS } from "../schemas/document.js";
import { type IdKind, idProblem } from "../schemas/ids.js";
import { EVIDENCE, type Group, LISTS, type List, type ListGroup } from "./lists.js";
import { checkTitle, finding, type Judgement, LIST_PARAMETERS, type Meaning } from "./parameters.js";
import { ReadList } from "./read-list.js";
import { type Check, type DiagnoseOptions, diagnoseOptionsSchema, type Report } from "./report.js";
import { type DoctorClient, Inconclusive, orReason, ServiceReader } from "./service-reader.js";

/** How many documents, and how many lists of meetings, are read until one can be used. */
const MAX_DOCUMENTS = 3;
const MAX_MEETINGS = 12;

const LIST_GROUPS = /* @__PURE__ */ Object.keys(LISTS) as ListGroup[];
const isOfMeeting = (group: ListGroup) => LISTS[group].endpoint.path.includes("{meetingId}");

const idsIn = (rows: readonly Record<string, unknown>[], field: string): unknown[] =>
  rows.flatMap((row) => {
    const items = row[field];
    return Array.isArray(items) ? items.filter(isRecord).map(({ id }) => id) : [];
  });

/** The ids that the client accepts. */
const usable = (kind: IdKind, ids: Iterable<unknown>): unknown[] =>
  [...new Set(ids)].filter((id) => idProblem(kind, id) === undefined);

class Diagnosis {
  readonly #reader: ServiceReader;
  readonly #onCheck: DiagnoseOptions["onCheck"];
  readonly #checks = new Map<string, Check>();

  constructor(client: DoctorClient, { signal, onCheck }: DiagnoseOptions) {
    this.#reader = new ServiceReader(client, signal);
    this.#onCheck = onCheck;
  }

  async run(): Promise<Report> {
    const lists = new Map<ListGroup, ReadList>();
    for (const group of LIST_GROUPS.filter((group) => !isOfMeeting(group))) {
      const list = await ReadList.from(this.#reader, LISTS[group]);
      if (typeof list !== "string") lists.set(group, list);
      await this.#checkList(group, list, lists.get("rooms"));
    }
    const expanded = [...lists.values()].flatMap((list) => list.expanded);
    await this.#check(
      "documents",
      "format",
      await this.#formatProbe(usable("documentId", idsIn(expanded, "documents"))),
    );
    const meetingIds = usable("meetingId", [...idsIn(expanded, "meetings"), ...(lists.get("meetings")?.ids ?? [])]);
    for (const group of LIST_GROUPS.filter(isOfMeeting)) {
      await this.#checkList(group, await this.#readOfMeeting(LISTS[group], meetingIds));
    }
    const ids = Object.entries(ASSUMED_QUERY).flatMap(([group, names]) =>
      Object.keys(names).map((meaning) => `${group}.${meaning}`),
    );
    return { checks: ids.flatMap((id) => this.#checks.get(id) ?? []), requests: this.#reader.requests };
  }

  /** Checks the parameters of a list. A text instead of a list says why it could not be read. */
  async #checkList(group: ListGroup, list: ReadList | string, rooms?: ReadList): Promise<void> {
    for (const [meaning, { probe }] of Object.entries(LIST_PARAMETERS)) {
      if (!(meaning in ASSUMED_QUERY[group])) continue;
      const ask = typeof list === "string" ? list : (name: string) => probe(list, name, rooms);
      await this.#check(group, meaning as Meaning, ask);
    }
  }

  /** Checks one name. A text instead of a probe says why it cannot be checked. */
  async #check(group: Group, meaning: Meaning, ask: string | ((name: string) => Promise<Judgement>)): Promise<void> {
    const name = (ASSUMED_QUERY[group] as Readonly<Record<string, string>>)[meaning] as string;
    const [verdict, detail] = typeof ask === "string" ? (["undecided", ask] as const) : await foundBy(ask, name);
    const id = `${group}.${meaning}`;
    const check: Check = { id, title: `${group}: ${checkTitle(meaning)}`, verdict, source: EVIDENCE[group], detail };
    this.#checks.set(id, check);
    this.#onCheck?.({ ...check });
  }

  /** Looks for a meeting with at least two items in its list. */
  async #readOfMeeting(list: List, meetingIds: readonly unknown[]): Promise<ReadList | string> {
    const owned = list.ownerOnly ? " that the account owns" : "";
    let best: ReadList | string = `needs a meeting${owned}, with at least 2 ${list.item}s`;
    for (const id of meetingIds.slice(0, MAX_MEETINGS)) {
      const read = await ReadList.from(this.#reader, list, id);
      if (typeof read !== "string" && read.first.rows.length > 1) return read;
      if (typeof best === "string") best = read;
    }
    return best;
  }

  /** Requests another format than the default. The format of the response shows whether the name was honoured. */
  async #formatProbe(documentIds: readonly unknown[]) {
    let reason = "needs at least 1 document";
    for (const documentId of documentIds.slice(0, MAX_DOCUMENTS)) {
      const read = async (query = {}) => echoedFormat(await this.#reader.read(getDocument, { documentId }, query));
      const usual = await orReason(getDocument, async () => ({ format: await read() }));
      if (typeof usual !== "string") return (name: string) => probeFormat(name, usual.format, read);
      reason = usual;
    }
    return reason;
  }
}

async function foundBy(ask: (name: string) => Promise<Judgement>, name: string): Promise<Judgement> {
  try {
    return await ask(name);
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    const { refusedWith, message } = error;
    return refusedWith === undefined
      ? ["undecided", message]
      : ["differs", `the service refuses ${name} with ${refusedWith}`];
  }
}

async function probeFormat(name: string, usual: string, read: (query: object) => Promise<string>): Promise<Judgement> {
  const requested = DOCUMENT_FORMATS.find((format) => format !== usual) ?? "html";
  const format = await read({ [name]: requested });
  if (format !== requested && format !== usual) throw new Inconclusive(`${name}=${requested} returned a third format`);
  return finding(
    format === requested,
    `${name}=${requested} returned ${format === requested ? "this format" : "the same format as without it"}`,
  );
}

function echoedFormat(body: unknown): string {
  if (isRecord(body) && typeof body.format === "string") return body.format;
  throw new Inconclusive("the response has no format");
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
