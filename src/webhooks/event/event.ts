/** The event in a delivery's body. The API specification does not define the body: assumptions.ts names its fields. */

import { ASSUMED_EVENT_FIELDS } from "../../assumptions.js";
import { WebhookVerificationError } from "../../errors/webhook-verification-error.js";
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import { EVENT_KINDS, type EventKind, type KnownEventKind } from "../../schemas/event.js";
import { isMeetingId, type MeetingId } from "../../schemas/ids.js";
import type { Meeting } from "../../schemas/meeting.js";
import { decodeUtf8 } from "../http/body.js";

/** The largest event of a stream: 2 MiB. A larger one would end the loop of its readers. */
export const MAX_EVENT_BYTES = 2_097_152;

/** The body of a delivery, as it was received. */
export type EventPayload = Record<string, unknown>;

/** An event of a known kind, with a meeting id. `switch (event.kind)` narrows it. */
export type MeetingEvent<K extends KnownEventKind = KnownEventKind> = K extends KnownEventKind
  ? MeetingEventOfKind<K>
  : never;

/** The fields of a {@link MeetingEvent} of one kind. */
export interface MeetingEventOfKind<K extends KnownEventKind> {
  /** The kind of event. */
  kind: K;
  /** `mtg_…`: the id of the meeting, for example the one that `meetings.sendBot` returned. */
  meetingId: MeetingId;
  /** The body as received: fields of a meeting (documented), not checked. `meetingSchema` checks them. */
  payload: Partial<Meeting> & EventPayload;
}

/** Any other event: of a kind added later, of no kind, or of a known kind but without a meeting id. */
export interface OtherEvent {
  /** `"unknown"` if the body names no kind. */
  kind: EventKind;
  /** `mtg_…`, or `undefined` if the body names no meeting. */
  meetingId: MeetingId | undefined;
  /** The whole body as received. */
  payload: EventPayload;
}

/** An event as it was received. {@link isMeetingEvent} tells the two apart. */
export type WebhookEvent = MeetingEvent | OtherEvent;

export const isKnownKind = (kind: string): kind is KnownEventKind => (EVENT_KINDS as readonly string[]).includes(kind);

/**
 * Whether an event has a meeting id and a known kind (with `kind`: that kind).
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

/** @param fields - The names of the body's fields, if they differ from the assumed ones. */
export function eventFromBody(
  body: EventPayload,
  fields: { kind?: string | undefined; meetingId?: string | undefined } = {},
): WebhookEvent {
  const kind = body[fields.kind ?? ASSUMED_EVENT_FIELDS.kind];
  const idFields = fields.meetingId === undefined ? ASSUMED_EVENT_FIELDS.meetingId : [fields.meetingId];
  return {
    kind: typeof kind === "string" && kind !== "" ? kind : "unknown",
    meetingId: idFields.map((field) => body[field]).find(isMeetingId),
    payload: body,
  };
}

/** The event in a server-sent event of this `name`: in the relay's format, or a body as the service sends it. */
export function eventFromMessage(body: EventPayload, name: string | undefined): WebhookEvent {
  const { kind, meetingId, payload } = body;
  if (typeof kind !== "string" || !isRecord(payload)) {
    const event = eventFromBody(body);
    return event.kind === "unknown" && name ? { ...event, kind: name } : event;
  }
  return { kind, meetingId: isMeetingId(meetingId) ? meetingId : undefined, payload };
}

/** Bytes that are not UTF-8 are rejected, not replaced. The error may be logged: it quotes nothing. */
export function readObject(body: Uint8Array): EventPayload {
  const text = decodeUtf8(body);
  const value = text === undefined ? undefined : parseJson(text);
  if (isRecord(value)) return value;
  throw new WebhookVerificationError({ reason: "not_an_event", message: "expected a JSON object as the body" });
}
