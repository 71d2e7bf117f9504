/**
 * Replaces everything private in a captured account. A replacement may keep the length and the script of the original.
 * Its characters come from random numbers with a fixed start, so nobody can use it to check a guess of the original.
 * Equal originals have equal replacements, so that ids and names still belong together.
 */
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import { AUTOMATION_MODES } from "../../schemas/automation.js";
import { conferenceService } from "../../schemas/conference-link.js";
import { DOCUMENT_FORMATS } from "../../schemas/document.js";
import { EVENT_KINDS } from "../../schemas/event.js";
import { ID_PREFIXES } from "../../schemas/ids.js";
import { MEETING_SOURCES, MEETING_STATUSES } from "../../schemas/meeting.js";
import { RECIPIENT_ANYONE, ROLE_READ } from "../../schemas/permission.js";
import { randomText } from "../state/random.js";
import type { CapturedAccount, CapturedMeeting, Json } from "./captured-account.js";
import { TextMaker } from "./made-up-text.js";
import { DateMover, isDateText } from "./move-dates.js";

/** The start of the random numbers in every capture, so that two captures of one account are the same. */
const RANDOM_START = 0x5eed;

/** More deeply nested values are replaced by `null`. No real account has them. */
const MAX_DEPTH = 40;

/** Replaces one value. */
type Rule = (value: unknown, depth?: number) => unknown;

/**
 * Values that are kept, because they reveal nothing about a person. They are kept even if a private text is the same.
 */
const KNOWN_NAMES: ReadonlySet<string> = new Set([
  ...MEETING_STATUSES,
  ...MEETING_SOURCES,
  ...DOCUMENT_FORMATS,
  ...EVENT_KINDS,
  ...AUTOMATION_MODES,
  RECIPIENT_ANYONE,
  ROLE_READ,
  "teammate",
  "team",
  "heading",
  "paragraph",
  "list",
  "table",
]);

/** The form of a kind or a state. */
const NAME = /^[A-Za-z][A-Za-z_.-]{0,39}$/;

/** A language code, for example `pt-BR`. */
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z]{2,4})?$/;

const ID_LENGTH = 16;

export function anonymise(account: CapturedAccount): CapturedAccount {
  const anonymiser = new Anonymiser();
  // The first round finds every id, text and date; the second replaces them.
  anonymiser.account(account);
  anonymiser.replace();
  return anonymiser.account(account);
}

class Anonymiser {
  readonly #random = { random: RANDOM_START };
  readonly #maker = new TextMaker(this.#random);
  readonly #dates = new DateMover();
  readonly #ids = new Map<string, string>();
  readonly #texts = new Map<string, string>();
  readonly #urls = new Map<string, string>();
  /** The texts and ids that the first round found. No field name in the result may repeat one. */
  readonly #private = new Set<string>();
  #isCollecting = true;

  /** Ends the first round: from now on, values are replaced. */
  replace(): void {
    this.#isCollecting = false;
  }

  account({ rooms, meetings, documents, webhooks, events, automation }: CapturedAccount): CapturedAccount {
    return {
      rooms: rooms.map(({ row, owned, meetingIds }) => ({
        row: this.#fields(ROOM, row),
        owned,
        meetingIds: meetingIds.map((id) => this.#meetingId(id)),
      })),
      meetings: meetings.map((meeting) => this.#meeting(meeting)),
      documents: documents.map(({ id, reference, document }) => ({
        id: this.#id(ID_PREFIXES.documentId)(id) as string,
        reference: reference && this.#fields(REFERENCE, reference),
        document: document && this.#fields(DOCUMENT, document),
      })),
      webhooks: webhooks.map((webhook) => this.#fields(WEBHOOK, webhook)),
      events: events.map((event) => this.#fields(EVENT, event)),
      automation: this.#name(automation),
    };
  }

  #meeting(meeting: CapturedMeeting): CapturedMeeting {
    const { row, summary, transcript, permissions, documentIds } = meeting;
    return {
      ...meeting,
      id: this.#meetingId(meeting.id),
      row: row && this.#fields(MEETING, row),
      summary: summary && this.#fields(MEETING, summary),
      documentIds: documentIds.map((id) => this.#id(ID_PREFIXES.documentId)(id) as string),
      transcript: transcript && this.#fields(TRANSCRIPT, transcript),
      permissions: permissions.map((permission) => this.#fields(PERMISSION, permission)),
      share_url: this.#url(meeting.share_url),
    };
  }

  #meetingId(id: string): string {
    return this.#id(ID_PREFIXES.meetingId)(id) as string;
  }

  /**
   * Replaces the fields of a record. The fields in `table` have their own rules; all others are replaced by the kind of
   * their value.
   */
  #fields(table: Table, record: Json, depth = 0): Json {
    const rules = table(this.#rules);
    const fields = Object.entries(record).map(([name, value]) => {
      const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
      const fieldName = rule === undefined && depth > 0 ? this.#fieldName(name) : this.#recordFieldName(name);
      return [fieldName, (rule ?? this.#rules.other)(value, depth + 1)];
    });
    return Object.fromEntries(fields);
  }

  readonly #rules: Rules = {
    id: (prefix) => this.#id(prefix),
    text: (value, depth) => (typeof value === "string" ? this.#text(value) : this.#other(value, depth)),
    url: (value, depth) => (typeof value === "string" ? this.#url(value) : this.#other(value, depth)),
    link: (value, depth) => (typeof value === "string" ? this.#link(value) : this.#other(value, depth)),
    name: (value, depth) => (typeof value === "string" ? this.#name(value) : this.#other(value, depth)),
    language: (value, depth) =>
      typeof value === "string" && LANGUAGE.test(value) ? value : this.#rules.text(value, depth),
    time: (value, depth) => this.#other(value, depth),
    measure: (value, depth) => (typeof value === "number" ? value : this.#other(value, depth)),
    content: (value, depth) => (typeof value === "string" ? this.#content(value) : this.#other(value, depth)),
    record: (table) => (value, depth) =>
      isRecord(value) ? this.#fields(table, value, depth) : this.#other(value, depth),
    list: (rule) => (value, depth) =>
      Array.isArray(value) ? value.map((item) => rule(item, depth)) : this.#other(value, depth),
    other: (value, depth) => this.#other(value, depth),
  };

  /** A rule for ids. The new id has `prefix` if the original has it; nothing else of the original is kept. */
  #id(prefix: string): Rule {
    return (value, depth) => {
      if (typeof value !== "string") return this.#other(value, depth);
      let id = this.#ids.get(value);
      if (id === undefined) {
        // The number keeps the order of records that are sorted by id.
        const number = this.#ids.size.toString(36).padStart(6, "0");
        id = `${value.startsWith(prefix) ? prefix : ""}${number}${randomText(this.#random, ID_LENGTH - number.length)}`;
        this.#ids.set(value, id);
        this.#private.add(value);
      }
      return id;
    };
  }

  #text(value: string): string {
    if (this.#isCollecting) {
      this.#private.add(value);
      return value;
    }
    return this.#ids.get(value) ?? this.#madeUp(this.#texts, value, () => this.#maker.text(value));
  }

  #madeUp(known: Map<string, string>, value: string, make: () => string): string {
    let replacement = known.get(value);
    if (replacement === undefined) {
      replacement = make();
      known.set(value, replacement);
    }
    return replacement;
  }

  /** A made-up URL of the same length, if the original is long enough. */
  #url(value: unknown): unknown {
    if (typeof value !== "string") return this.#other(value);
    if (this.#isCollecting || !/^https?:/.test(value)) return this.#text(value);
    return this.#madeUp(this.#urls, value, () => this.#padded("https://www.example.com/", value.length));
  }

  #padded(start: string, length: number): string {
    return start + this.#maker.letters(Math.max(8, length - start.length));
  }

  /** A made-up join link of the same conference service. */
  #link(value: string): unknown {
    if (this.#isCollecting) return this.#text(value);
    const { length } = value;
    return this.#madeUp(this.#urls, value, () => {
      switch (conferenceService(value)) {
        case "zoom":
          return `https://zoom.us/j/${this.#maker.digits(11)}`;
        case "google_meet":
          return `https://meet.google.com/${[3, 4, 3].map((count) => this.#maker.letters(count)).join("-")}`;
        case "teams":
          return this.#padded("https://teams.microsoft.com/l/meetup-join/", length);
        case "webex":
          return this.#padded("https://example.webex.com/meet/", length);
        default:
          return this.#maker.text(value);
      }
    });
  }

  /** The name of a kind or a state. It is kept, unless it is also a text of the account. */
  #name(value: unknown): unknown {
    if (typeof value !== "string") return this.#other(value);
    const isKept = KNOWN_NAMES.has(value) || (NAME.test(value) && !this.#private.has(value));
    if (isKept) return value;
    return this.#isCollecting ? value : this.#text(value);
  }

  /**
   * The field names of a record come from the service and are kept. A name is replaced if it is also a private text and
   * does not look like the name of a field.
   */
  #recordFieldName(name: string): string {
    return this.#private.has(name) && !/^[a-z][a-z_]*$/.test(name) ? this.#text(name) : name;
  }

  /** A field name inside an unknown value may be the name of a person. */
  #fieldName(name: string): string {
    return /^[a-z][A-Za-z_]{0,39}$/.test(name) && !this.#private.has(name) ? name : this.#text(name);
  }

  /** The content of a document: JSON blocks, or a text. */
  #content(value: string): string {
    const blocks = parseJson(value);
    if (!Array.isArray(blocks)) return this.#text(value);
    return JSON.stringify(blocks.map((block) => this.#block(block, 0)));
  }

  #block(value: unknown, depth: number): unknown {
    if (!isRecord(value)) return this.#other(value, depth + 1);
    const fields = Object.entries(value).map(([name, field]) => {
      if (name === "type") return [name, this.#name(field)];
      if (name === "level" && typeof field === "number") return [name, field];
      return [this.#fieldName(name), this.#other(field, depth + 1)];
    });
    return Object.fromEntries(fields);
  }

  /** Replaces an unknown value by a value of the same kind. */
  #other(value: unknown, depth = 0): unknown {
    if (depth > MAX_DEPTH) return null;
    if (typeof value === "string") return this.#otherText(value);
    if (typeof value === "number") return this.#number(value);
    if (Array.isArray(value)) return value.map((item) => this.#other(item, depth + 1));
    if (isRecord(value)) {
      const fields = Object.entries(value).map(([name, field]) => [
        this.#fieldName(name),
        this.#other(field, depth + 1),
      ]);
      return Object.fromEntries(fields);
    }
    return value;
  }

  #otherText(value: string): unknown {
    if (isDateText(value)) {
      if (this.#isCollecting) this.#dates.collect(value);
      return this.#isCollecting ? value : this.#dates.move(value);
    }
    return /^https?:/.test(value) ? this.#url(value) : this.#text(value);
  }

  /** A made-up number with as many digits before and after the decimal point. */
  #number(value: number): number {
    if (this.#isCollecting) return value;
    const [, whole = "0", fraction] = /^(\d+)(?:\.(\d+))?/.exec(String(Math.abs(value))) ?? [];
    const digits = this.#maker.digits(Math.min(whole.length, 15));
    const made = Number(fraction === undefined ? digits : `${digits}.${this.#maker.digits(fraction.length)}`);
    return value < 0 ? -made : made;
  }
}

interface Rules {
  id: (prefix: string) => Rule;
  text: Rule;
  url: Rule;
  link: Rule;
  name: Rule;
  language: Rule;
  time: Rule;
  /** A duration, a count or a time in a recording. It is kept. */
  measure: Rule;
  content: Rule;
  record: (table: Table) => Rule;
  list: (rule: Rule) => Rule;
  other: Rule;
}

/** The rules for the fields of one kind of record. */
type Table = (rules: Rules) => Readonly<Record<string, Rule>>;

const REFERENCE: Table = ({ id, text, time }) => ({ id: id(ID_PREFIXES.documentId), title: text, created_at: time });

const DOCUMENT: Table = (rules) => ({ ...REFERENCE(rules), format: rules.name, content: rules.content });

const PERSON: Table = ({ id, text }) => ({ id: id("usr_"), name: text, email: text, title: text, company: text });

/** For both the row of the meeting list and the summary in a room. */
const MEETING: Table = ({ id, text, name, time, measure, record, list }) => ({
  id: id(ID_PREFIXES.meetingId),
  title: text,
  status: name,
  source: name,
  start_time: time,
  end_time: time,
  created_at: time,
  duration: measure,
  host: record(PERSON),
  participants: list(record(PERSON)),
});

const ROOM: Table = ({ id, text, url, time, measure }) => ({
  id: id(ID_PREFIXES.roomId),
  title: text,
  created_at: time,
  updated_at: time,
  meeting_count: measure,
  share_url: url,
});

const SPEAKER: Table = ({ id, text }) => ({ id: id(ID_PREFIXES.speakerId), name: text });

const SEGMENT: Table = ({ id, text, measure }) => ({
  speaker_id: id(ID_PREFIXES.speakerId),
  start_time: measure,
  end_time: measure,
  text,
});

const TRANSCRIPT: Table = ({ id, language, record, list }) => ({
  meeting_id: id(ID_PREFIXES.meetingId),
  language,
  speakers: list(record(SPEAKER)),
  segments: list(record(SEGMENT)),
});

const RECIPIENT: Table = ({ name, text, id }) => ({ type: name, email: text, name: text, id: id("usr_") });

const PERMISSION: Table = ({ id, name, record }) => ({ id: id("perm_"), recipient: record(RECIPIENT), role: name });

const WEBHOOK: Table = ({ id, url, name, time, list, text }) => ({
  id: id(ID_PREFIXES.webhookId),
  url,
  events: list(name),
  created_at: time,
  updated_at: time,
  secret: text,
});

const EVENT: Table = ({ id, text, time, link }) => ({
  id: id(ID_PREFIXES.eventId),
  title: text,
  start_time: time,
  end_time: time,
  meeting_url: link,
});
