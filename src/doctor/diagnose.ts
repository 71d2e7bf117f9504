/** Checks each query parameter that the API specification does not name against the user's own service. */

import { ASSUMED_QUERY } from "../assumptions.js";
import { checkArgument } from "../errors/argument-errors.js";
import { isRecord } from "../json/is-record.js";
import { DOCUMENT_FORMATS } from "../schemas/document.js";
import type { Group } from "./checks/candidates.js";
import { CheckLog } from "./checks/check-log.js";
import type { Probe } from "./checks/find-name.js";
import { checkFilters, checkPaging } from "./checks/list-checks.js";
import { failureReason, ListFacts, readPage } from "./checks/list-facts.js";
import { checkMeetingFilters } from "./checks/meeting-filters.js";
import { diagnoseOptionsSchema } from "./diagnose-options.js";
import type { DoctorClient } from "./doctor-client.js";
import type { DiagnoseOptions, Report } from "./report.js";
import type { ReadOperation } from "./service/drift-log.js";
import { BudgetError, type Reading, ServiceReader } from "./service/service-reader.js";

/** How many meetings, and how many documents, are tried until one can be read. */
const MAX_TRIED = 3;

/** How many meetings are tried in total, if none of the first has two permissions and requests remain at the end. */
const MAX_TRIED_AT_THE_END = 12;

/** The result of the search for permissions: the most useful list, or the reason why there is none. */
interface PermissionSearch {
  best: ListFacts | undefined;
  reason: string;
}

const idsIn = (rows: readonly Record<string, unknown>[], field: string): string[] =>
  rows.flatMap((row) => {
    const items = row[field];
    return Array.isArray(items) ? items.filter(isRecord).map(({ id }) => String(id)) : [];
  });

/** The ids that are safe in a path. */
const usable = (ids: Iterable<string>, prefix: string): string[] =>
  [...new Set(ids)].filter((id) => id.startsWith(prefix) && /^\w+$/.test(id));

class Diagnosis {
  readonly reader: ServiceReader;
  readonly log: CheckLog;

  constructor(client: DoctorClient, { signal, onCheck }: DiagnoseOptions) {
    this.reader = new ServiceReader(client, signal);
    this.log = new CheckLog(onCheck);
  }

  async run(): Promise<Report> {
    const rooms = await this.#list("rooms.list", "/rooms", "rooms");
    if (rooms !== undefined) {
      await checkPaging(this.log, "rooms", rooms, "room");
      await checkFilters(this.log, "rooms", rooms, ["documents", "meetings"]);
    }
    const meetings = await this.#list("meetings.list", "/meetings", "meetings");
    const meetingIds = usable([...idsIn(rooms?.expanded ?? [], "meetings"), ...(meetings?.ids ?? [])], "mtg_");
    const search: PermissionSearch = {
      best: undefined,
      reason: "needs a meeting that the account owns, with at least 2 permissions",
    };
    await this.#searchPermissions(search, meetingIds.slice(0, MAX_TRIED));
    const searchOn = !search.best?.hasTwo && meetingIds.length > MAX_TRIED;
    if (!searchOn) await this.#checkPermissions(search);
    const documentIds = () =>
      usable([...idsIn(rooms?.expanded ?? [], "documents"), ...idsIn(meetings?.expanded ?? [], "documents")], "doc_");
    const knowsDocuments = documentIds().length > 0;
    if (knowsDocuments) await this.#checkFormat(documentIds());
    if (meetings !== undefined) {
      await checkPaging(this.log, "meetings", meetings, "meeting");
      await checkFilters(this.log, "meetings", meetings, ["documents"]);
    }
    if (!knowsDocuments) await this.#checkFormat(documentIds());
    if (meetings !== undefined) await checkMeetingFilters(this.log, meetings, rooms);
    if (searchOn) {
      await this.#searchPermissions(search, meetingIds.slice(MAX_TRIED, MAX_TRIED_AT_THE_END));
      await this.#checkPermissions(search);
    }
    const { drift, fields } = this.reader.log;
    return {
      checks: this.log.checks,
      assumptions: this.log.assumptions,
      drift,
      fields,
      requests: this.reader.requests,
    };
  }

  /** Reads a list without parameters. If that fails, all names of the list are undecided. */
  async #list(operation: ReadOperation, path: string, group: Group): Promise<ListFacts | undefined> {
    const reading = await this.#read(operation, path);
    const page = reading.outcome === "read" ? readPage(reading.body) : undefined;
    if (page !== undefined) return new ListFacts(this.reader, operation, path, page);
    this.#leaveUndecided(group, `GET ${path}: ${failureReason(reading)}`);
    return undefined;
  }

  #leaveUndecided(group: Group, reason: string): void {
    for (const meaning of Object.keys(ASSUMED_QUERY[group])) this.log.add(group, meaning, "undecided", reason);
  }

  /** Reads a path. If no requests remain, returns a failed reading instead of throwing. */
  async #read(operation: ReadOperation, path: string): Promise<Reading> {
    try {
      return await this.reader.read(operation, path);
    } catch (error) {
      if (!(error instanceof BudgetError)) throw error;
      return { outcome: "failed", reason: "the requests of the diagnosis are used up" };
    }
  }

  /** Looks for a meeting with at least two permissions. Only the permissions of owned meetings can be read. */
  async #searchPermissions(search: PermissionSearch, meetingIds: readonly string[]): Promise<void> {
    for (const id of meetingIds) {
      const path = `/meetings/${id}/permissions`;
      const reading = await this.#read("permissions.list", path);
      const page = reading.outcome === "read" ? readPage(reading.body) : undefined;
      if (page === undefined) {
        search.reason = `GET /meetings/{meeting_id}/permissions: ${failureReason(reading)}`;
        continue;
      }
      const facts = new ListFacts(this.reader, "permissions.list", path, page);
      if (search.best === undefined || facts.hasTwo) search.best = facts;
      if (facts.hasTwo) break;
    }
  }

  async #checkPermissions({ best, reason }: PermissionSearch): Promise<void> {
    if (best === undefined) this.#leaveUndecided("permissions", reason);
    else await checkPaging(this.log, "permissions", best, "permission");
  }

  /** Checks which parameter sets the format of a document. The response names its format. */
  async #checkFormat(documentIds: readonly string[]): Promise<void> {
    let reason = "needs at least 1 document";
    for (const id of documentIds.slice(0, MAX_TRIED)) {
      const path = `/documents/${id}`;
      const reading = await this.#read("documents.get", path);
      const format = formatOf(reading);
      if (format !== undefined) {
        const probe = this.#formatProbe(path, format);
        await this.log.check({ group: "documents", meaning: "format", probe, tellsApart: true });
        return;
      }
      reason = `GET /documents/{document_id}: ${reading.outcome === "read" ? "the response has no format" : failureReason(reading)}`;
    }
    this.#leaveUndecided("documents", reason);
  }

  /** Sends each name with another format. The format of the response shows which name the service has honoured. */
  #formatProbe(path: string, defaultFormat: string): Probe {
    const others = DOCUMENT_FORMATS.filter((format) => format !== defaultFormat);
    return async (names) => {
      const query = Object.fromEntries(names.map((name, index) => [name, others[index % others.length] ?? "html"]));
      const reading = await this.reader.read("documents.get", path, query);
      if (reading.outcome === "refused") return { shows: "refused", names: reading.names };
      const format = formatOf(reading);
      if (format === defaultFormat) return { shows: "ignored" };
      const honoured = names.filter((name) => query[name] === format);
      return honoured.length === 0 ? { shows: "unclear" } : { shows: "honoured", names: honoured };
    };
  }
}

function formatOf(reading: Reading): string | undefined {
  const body = reading.outcome === "read" ? reading.body : undefined;
  return isRecord(body) && typeof body.format === "string" ? body.format : undefined;
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
  if (options.signal?.aborted) throw options.signal.reason;
  return new Diagnosis(client, options).run();
}
