/** Interface, "Events". The shape of a delivery's body is not shown: what is known of it is in unshown.ts. */
import { WebhookVerificationError } from "../../errors/webhook-verification-error.js";
import { EVENT_KINDS, type EventKind, type KnownEventKind } from "../../schemas/event.js";
import type { MeetingId } from "../../schemas/ids.js";
import type { Meeting } from "../../schemas/meeting.js";
import { UNSHOWN_EVENT_FIELDS } from "../../unshown.js";

/** The body of a delivery, as it was received. */
export type EventPayload = Record<string, unknown>;

/** An event of a kind that the interface lists, about the meeting that it names. */
export interface MeetingEvent<K extends KnownEventKind = KnownEventKind> {
  kind: K;
  /** `mtg_…`: the id that the bot-to-link response returned. */
  meetingId: MeetingId;
  /**
   * The whole body as received. That it has the fields of a meeting is level A, and is not checked: any of them may be
   * missing. `meetingSchema.safeParse(payload)`, from `notetaker-sdk`, checks.
   */
  payload: Partial<Meeting> & EventPayload;
}

/** Any other event: of a kind added later, of no kind, or of a known kind without a meeting id. */
export interface OtherEvent {
  /** `"unknown"` when the body names no kind and the caller gave none. */
  kind: EventKind;
  meetingId: MeetingId | undefined;
  /** The whole body as received. */
  payload: EventPayload;
}

export type WebhookEvent = MeetingEvent | OtherEvent;

/** Where to find in the body what the interface does not show. */
export interface EventFields {
  /** The field that names the kind. Default `event` (level B). */
  kind?: string | undefined;
  /** The field that holds the meeting id. Default `id` (level A), then `meeting_id` (level B). */
  meetingId?: string | undefined;
}

export interface ReadEventOptions {
  /**
   * The kind of an event whose body names none: for a URL that is subscribed to this kind alone.
   * A kind in the body goes before it. Default `"unknown"`.
   */
  kind?: EventKind | undefined;
  /** Names that the interface does not show, where your service's differ from the defaults. */
  unshown?: EventFields | undefined;
}

export const isKnownKind = (kind: string): kind is KnownEventKind => (EVENT_KINDS as readonly string[]).includes(kind);

/** Whether an event is of a known kind (or of this one) and names its meeting. */
export function isMeetingEvent<K extends KnownEventKind = KnownEventKind>(
  event: WebhookEvent,
  kind?: K,
): event is MeetingEvent<K> {
  return event.meetingId !== undefined && (kind === undefined ? isKnownKind(event.kind) : event.kind === kind);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A meeting id, or nothing when the value does not have the form of one. */
const asMeetingId = (value: unknown): MeetingId | undefined =>
  typeof value === "string" && value.startsWith("mtg_") ? (value as MeetingId) : undefined;

/** The event in a body that is JSON already. Never a guess: what the body does not say stays `unknown`, `undefined`. */
export function eventFromBody(body: EventPayload, { kind, unshown = {} }: ReadEventOptions = {}): WebhookEvent {
  const named = body[unshown.kind ?? UNSHOWN_EVENT_FIELDS.kind];
  const fields = unshown.meetingId === undefined ? UNSHOWN_EVENT_FIELDS.meetingId : [unshown.meetingId];
  return {
    kind: (typeof named === "string" && named) || kind || "unknown",
    meetingId: fields.map((field) => asMeetingId(body[field])).find(Boolean),
    payload: body,
  };
}

/**
 * The event in the data of a server-sent event: as the relay words it, or a body as the service delivers it.
 *
 * @param name - The server-sent event's own name, if it has one: the kind of a body that names none.
 */
export function eventFromMessage(data: string, name: string | undefined): WebhookEvent {
  const body = readObject(data);
  const { kind, meetingId, payload } = body;
  if (typeof kind !== "string" || !isObject(payload)) return eventFromBody(body, { kind: name });
  return { kind, meetingId: asMeetingId(meetingId), payload };
}

/** Reads bytes or text as an object. Bytes that are no UTF-8 are refused: replacing them would change the event. */
export function readObject(body: Uint8Array | string): EventPayload {
  let value: unknown;
  try {
    value = JSON.parse(typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    // The parser's own message quotes the body, which does not belong in a log.
  }
  if (isObject(value)) return value;
  throw new WebhookVerificationError("not_an_event", "expected a JSON object");
}
