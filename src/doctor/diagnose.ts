/** Checks each query parameter that the API specification does not name against the user's own service. */

import { ASSUMED_QUERY } from "../assumptions.js";
import { checkArgument } from "../errors/argument-errors.js";
import { isRecord } from "../json/is-record.js";
import { DOCUMENT_FORMATS } from "../schemas/document.js";
import type { Group } from "./candidates.js";
import { CheckLog } from "./check-log.js";
import type { ReadOperation } from "./drift-log.js";
import { checkFilters, checkMeetingFilters, checkPaging } from "./list-checks.js";
import { failureReason, ListFacts, type Probe, readPage, under } from "./list-facts.js";
import { type DiagnoseOptions, diagnoseOptionsSchema, type Report } from "./report.js";
import { BudgetError, type DoctorClient, type Reading, ServiceReader } from "./service-reader.js";

/** How many documents, and how many meetings' permissions, are read until one can be used. */
const MAX_DOCUMENTS = 3;
const MAX_MEETINGS = 12;

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
    if (meetings !== undefined) {
      await checkPaging(this.log, "meetings", meetings, "meeting");
      await checkFilters(this.log, "meetings", meetings, ["documents"]);
    }
    const expanded = [...(rooms?.expanded ?? []), ...(meetings?.expanded ?? [])];
    await this.#checkFormat(usable(idsIn(expanded, "documents"), "doc_"));
    await this.#checkPermissions(usable([...idsIn(expanded, "meetings"), ...(meetings?.ids ?? [])], "mtg_"));
    if (meetings !== undefined) await checkMeetingFilters(this.log, meetings, rooms);
    const { log, requests } = this.reader;
    return {
      checks: this.log.checks,
      assumptions: this.log.assumptions,
      drift: log.drift,
      fields: log.fields,
      requests,
    };
  }

  /** Reads a list without parameters. If that fails, all names of the list are undecided. */
  async #list(operation: ReadOperation, path: string, group: Group): Promise<ListFacts | undefined> {
    const reading = await this.#read(operation, path);
    const page = readPage(reading);
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
  async #checkPermissions(meetingIds: readonly string[]): Promise<void> {
    let best: ListFacts | undefined;
    let reason = "needs a meeting that the account owns, with at least 2 permissions";
    for (const id of meetingIds.slice(0, MAX_MEETINGS)) {
      const path = `/meetings/${id}/permissions`;
      const reading = await this.#read("permissions.list", path);
      const page = readPage(reading);
      if (page === undefined) reason = `GET /meetings/{meeting_id}/permissions: ${failureReason(reading)}`;
      else {
        const facts = new ListFacts(this.reader, "permissions.list", path, page);
        if (best === undefined || facts.hasTwo) best = facts;
        if (facts.hasTwo) break;
      }
    }
    if (best === undefined) this.#leaveUndecided("permissions", reason);
    else await checkPaging(this.log, "permissions", best, "permission");
  }

  /** Checks which parameter sets the format of a document. The response names its format. */
  async #checkFormat(documentIds: readonly string[]): Promise<void> {
    let reason = "needs at least 1 document";
    for (const id of documentIds.slice(0, MAX_DOCUMENTS)) {
      const path = `/documents/${id}`;
      const reading = await this.#read("documents.get", path);
      const format = formatOf(reading);
      if (format !== undefined) {
        const probe = this.#formatProbe(path, format);
        await this.log.check({ group: "documents", meaning: "format", probe });
        return;
      }
      reason = `GET /documents/{document_id}: ${reading.outcome === "read" ? "the response has no format" : failureReason(reading)}`;
    }
    this.#leaveUndecided("documents", reason);
  }

  /** Requests another format than the default. The format of the response shows whether a name was honoured. */
  #formatProbe(path: string, defaultFormat: string): Probe {
    const requested = DOCUMENT_FORMATS.find((format) => format !== defaultFormat) ?? "html";
    return async (...names) => {
      const reading = await this.reader.read("documents.get", path, under(names, requested));
      if (reading.outcome === "refused") return "refused";
      const format = formatOf(reading);
      if (format === requested) return "honoured";
      return format === defaultFormat ? "ignored" : "unclear";
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
