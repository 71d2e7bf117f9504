/**
 * Finds the records that a request is about, among those that the account can see: its own, and the meetings that other
 * accounts share with it. If there is no such record, or the caller may not use it, responds with 404 or 403.
 */
import type { Permission } from "../../schemas/permission.js";
import { errorResponse, notFound, Refusal } from "../http/exchange.js";
import { type Call, pathId } from "../http/route.js";
import type { DocumentRecord, EventRecord, MeetingRecord, WebhookRecord } from "../state/records.js";
import type { EmulatorContext, State } from "../state/state.js";

export interface MeetingAccess {
  meeting: MeetingRecord;
  /** The state that contains the meeting and its documents. */
  holder: State;
  owned: boolean;
}

const isFor = ({ recipient }: Permission, email: string) =>
  typeof recipient.email === "string" && recipient.email.toLowerCase() === email.toLowerCase();

/** The meetings of an account that the lag does not hide. */
const shown = ({ meetings, hidden }: State) => [...meetings.values()].filter(({ id }) => !hidden.has(id));

function sharedMeetings({ state, accounts }: EmulatorContext): MeetingAccess[] {
  const { email } = state.account.user;
  const isShared = (meeting: MeetingRecord) =>
    meeting.owned && meeting.permissions.some((permission) => isFor(permission, email));
  const others = accounts.map((account) => account.state).filter((other) => other !== state);
  return others.flatMap((holder) =>
    shown(holder)
      .filter(isShared)
      .map((meeting) => ({ meeting, holder, owned: false })),
  );
}

export const accessibleMeetings = (context: EmulatorContext): MeetingAccess[] => [
  ...shown(context.state).map((meeting) => ({ meeting, holder: context.state, owned: meeting.owned })),
  ...sharedMeetings(context),
];

function found<T>(record: T | undefined): T {
  if (record === undefined) throw notFound();
  return record;
}

export function findMeeting(call: Call): MeetingAccess {
  const id = pathId(call, "meetingId");
  return found(accessibleMeetings(call.context).find(({ meeting }) => meeting.id === id));
}

/** Finds a meeting that the caller owns. Permission endpoints require that. */
export function findOwnedMeeting(call: Call): MeetingRecord {
  const { meeting, owned } = findMeeting(call);
  if (!owned) throw new Refusal(errorResponse(403, "only the owner of the meeting may do this"));
  return meeting;
}

/** Finds a document of the account, or of a meeting that is shared with it. */
export function findDocument(call: Call): DocumentRecord {
  const id = pathId(call, "documentId");
  const { state } = call.context;
  const hasDocument = ({ meeting }: MeetingAccess) => meeting.documents.some((documentId) => documentId === id);
  const holder = state.documents.has(id) ? state : sharedMeetings(call.context).find(hasDocument)?.holder;
  return found(holder?.hidden.has(id) ? undefined : holder?.documents.get(id));
}

export const findEvent = (call: Call): EventRecord => found(call.context.state.events.get(pathId(call, "eventId")));

export const findWebhook = (call: Call): WebhookRecord =>
  found(call.context.state.webhooks.get(pathId(call, "webhookId")));
