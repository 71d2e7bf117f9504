/**
 * Reads the event in a delivery's body. The API specification ("Events") does not define the body: the names of its
 * fields come from assumptions.ts.
 */

import { ASSUMED_EVENT_FIELDS } from "../../assumptions.js";
import { WebhookVerificationError } from "../../errors/webhook-verification-error.js";
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import { EVENT_KINDS, type EventKind, type KnownEventKind } from "../../schemas/event.js";
import { isMeetingId, type MeetingId } from "../../schemas/ids.js";
import type { Meeting } from "../../schemas/meeting.js";
import { decodeUtf8 } from "../http/body.js";

/** The body of a delivery, as it was received. */
export type EventPayload = Record<string, unknown>;

/**
 * An event of a kind that the API specification lists, with a meeting id. For several kinds, the type is a union that
 * `switch (event.kind)` narrows.
 */
export type MeetingEvent<K extends KnownEventKind = KnownEventKind> = K extends KnownEventKind
  ? MeetingEventOfKind<K>
  : never;

/** The fields of a {@link MeetingEvent} of one kind. */
export interface MeetingEventOfKind<K extends KnownEventKind> {
  /** The kind of event. */
  kind: K;
  /** `mtg_…`: the id of the meeting, for example the one that `meetings.sendBot` returned. */
  meetingId: MeetingId;
  /**
   * The whole body as received. It should have the fields of a meeting (documented), but this is not checked: any of
   * them may be missing. `meetingSchema.safeParse(payload)`, from `notetaker-sdk`, checks it.
   */
  payload: Partial<Meeting> & EventPayload;
}

/** Any other event: of a kind added later, of no kind, or of a known kind but without a meeting id. */
export interface OtherEvent {
  /** `"unknown"` if neither the body nor the options name a kind. */
  kind: EventKind;
  /** `mtg_…`, or `undefined` if the body names no meeting. */
  meetingId: MeetingId | undefined;
  /** The whole body as received. */
  payload: EventPayload;
}

/**
 * An event as it was received: a {@link MeetingEvent} or an {@link OtherEvent}. {@link isMeetingEvent} tells them
 * apart.
 */
export type WebhookEvent = MeetingEvent | OtherEvent;

/** The fields of the body that the API specification does not show. */
export interface EventFields {
  /** The field that names the kind. Default `event` (observed). */
  kind?: string | undefined;
  /** The field that holds the meeting id. Default `id` (documented), then `meeting_id` (observed). */
  meetingId?: string | undefined;
}

/** Options for reading an event. */
export interface ReadEventOptions {
  /**
   * The kind of an event whose body names none, for a URL that receives only this kind. A kind in the body takes
   * precedence. Default `"unknown"`.
   */
  kind?: EventKind | undefined;
  /** The names of the body's fields, if your service's names differ from the defaults. */
  assumptions?: EventFields | undefined;
}

/** The kind of an event that names none. */
const UNKNOWN_KIND = "unknown";

export const isKnownKind = (kind: string): kind is KnownEventKind => (EVENT_KINDS as readonly string[]).includes(kind);

/**
 * Whether an event has a meeting id and a known kind (with `kind`: that kind).
 *
 * @example
 * if (isMeetingEvent(event)) {
 *   switch (event.kind) {
 *     case "meeting.transcript_ready":
 *       await saveTranscript(event.meetingId);
 *   }
 * }
 */
export function isMeetingEvent<K extends KnownEventKind = KnownEventKind>(
  event: WebhookEvent,
  kind?: K,
): event is MeetingEvent<K> {
  return event.meetingId !== undefined && (kind === undefined ? isKnownKind(event.kind) : event.kind === kind);
}

/** The kind in the body, else the kind in the options, else `"unknown"`. */
function eventKindOf(named: unknown, kind: string | undefined): string {
  if (typeof named === "string" && named !== "") return named;
  return kind === undefined || kind === "" ? UNKNOWN_KIND : kind;
}

/**
 * The event in a parsed body. Nothing is guessed: a missing kind becomes `"unknown"`, a missing meeting id `undefined`.
 */
export function eventFromBody(body: EventPayload, { kind, assumptions = {} }: ReadEventOptions = {}): WebhookEvent {
  const fields = assumptions.meetingId === undefined ? ASSUMED_EVENT_FIELDS.meetingId : [assumptions.meetingId];
  return {
    kind: eventKindOf(body[assumptions.kind ?? ASSUMED_EVENT_FIELDS.kind], kind),
    meetingId: fields.map((field) => body[field]).find(isMeetingId),
    payload: body,
  };
}

/**
 * The event in the parsed data of a server-sent event. The data is in the relay's own format, or a body as the service
 * delivers it.
 *
 * @param name - The name of the server-sent event, if it has one. It is the kind of the event if the body names none.
 */
export function eventFromMessage(body: EventPayload, name: string | undefined): WebhookEvent {
  const { kind, meetingId, payload } = body;
  if (typeof kind !== "string" || !isRecord(payload)) return eventFromBody(body, { kind: name });
  return { kind, meetingId: isMeetingId(meetingId) ? meetingId : undefined, payload };
}

/**
 * Reads bytes or text as a JSON object. Bytes that are not UTF-8 are rejected: replacing them would change the event.
 *
 * @throws {WebhookVerificationError} {@link WebhookVerificationError} `not_an_event`. The message may be logged, so it
 * does not quote the body.
 */
export function readObject(body: Uint8Array | string): EventPayload {
  const text = typeof body === "string" ? body : decodeUtf8(body);
  const value = text === undefined ? undefined : parseJson(text);
  if (isRecord(value)) return value;
  throw new WebhookVerificationError({ reason: "not_an_event", message: "expected a JSON object as the body" });
}
