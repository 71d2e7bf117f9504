/** Finds what a request is about: a record of the account, or of a meeting that another account shares with it. */
import { notFound, RefusedRequest, refusal } from "../http/refusals.js";
import { type Call, pathId } from "../http/route.js";
import type { DocumentRecord, EventRecord, MeetingRecord, WebhookRecord } from "../state/records.js";
import { sharedMeetings } from "../state/shares.js";
import type { EmulatorContext } from "../state/state.js";

export interface MeetingAccess {
  meeting: MeetingRecord;
  /** The account that contains the meeting and its documents. */
  holder: EmulatorContext;
  owned: boolean;
}

export function accessibleMeetings(context: EmulatorContext): MeetingAccess[] {
  const { meetings, hidden } = context.state;
  const own = [...meetings.values()].filter(({ id }) => !hidden.has(id));
  return [
    ...own.map((meeting) => ({ meeting, holder: context, owned: meeting.owned })),
    ...sharedMeetings(context).map((shared) => ({ ...shared, owned: false })),
  ];
}

function found<T>(record: T | undefined): T {
  if (record === undefined) throw notFound();
  return record;
}

export function findMeeting({ context, params }: Call): MeetingAccess {
  const id = pathId({ params }, "meetingId");
  const own = context.state.meetings.get(id);
  if (own !== undefined && !context.state.hidden.has(id)) return { meeting: own, holder: context, owned: own.owned };
  return { ...found(sharedMeetings(context).find(({ meeting }) => meeting.id === id)), owned: false };
}

/** Permission endpoints require a meeting that the caller owns. */
export function findOwnedMeeting(call: Call): MeetingRecord {
  const { meeting, owned } = findMeeting(call);
  if (!owned) throw new RefusedRequest(refusal(403, "only the owner of the meeting may do this"));
  return meeting;
}

export function findDocument(call: Call): DocumentRecord {
  const id = pathId(call, "documentId");
  const hasDocument = ({ meeting }: { meeting: MeetingRecord }) => meeting.documents.some((known) => known === id);
  const { context } = call;
  const holder = context.state.documents.has(id) ? context : sharedMeetings(context).find(hasDocument)?.holder;
  return found(holder?.state.hidden.has(id) ? undefined : holder?.state.documents.get(id));
}

export const findEvent = (call: Call): EventRecord => found(call.context.state.events.get(pathId(call, "eventId")));

export const findWebhook = (call: Call): WebhookRecord =>
  found(call.context.state.webhooks.get(pathId(call, "webhookId")));
