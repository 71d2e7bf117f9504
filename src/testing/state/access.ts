/** Finds the records that an account can see: its own, and the meetings that other accounts share with it. */
import type { EmulatorContext } from "./context.js";
import type { DocumentRecord, MeetingRecord, PermissionRecord } from "./records.js";
import type { State } from "./state.js";

/** A meeting that an account can see. */
export interface MeetingAccess {
  meeting: MeetingRecord;
  /** The state that contains the meeting and its documents. */
  holder: State;
  owned: boolean;
}

/** Whether a permission is for the person with this e-mail address. */
const isFor = ({ recipient }: PermissionRecord, email: string) =>
  typeof recipient.email === "string" && recipient.email.toLowerCase() === email.toLowerCase();

function* sharedWith(context: EmulatorContext): Iterable<MeetingAccess> {
  const { email } = context.state.account.user;
  for (const { state: holder } of context.accounts) {
    if (holder === context.state) continue;
    for (const meeting of holder.meetings.values()) {
      if (meeting.owned && meeting.permissions.some((permission) => isFor(permission, email))) {
        yield { meeting, holder, owned: false };
      }
    }
  }
}

/** Every meeting that the account can see. */
export function* accessibleMeetings(context: EmulatorContext): Iterable<MeetingAccess> {
  const { state } = context;
  for (const meeting of state.meetings.values()) yield { meeting, holder: state, owned: meeting.owned };
  yield* sharedWith(context);
}

/** One meeting, or `undefined` if the account cannot see it. */
export function accessMeeting(context: EmulatorContext, id: string): MeetingAccess | undefined {
  const { state } = context;
  const meeting = state.meetings.get(id);
  if (meeting !== undefined) return { meeting, holder: state, owned: meeting.owned };
  for (const access of sharedWith(context)) if (access.meeting.id === id) return access;
  return undefined;
}

/** One document, or `undefined` if the account cannot see it. */
export function accessDocument(context: EmulatorContext, id: string): DocumentRecord | undefined {
  const document = context.state.documents.get(id);
  if (document !== undefined) return document;
  for (const { meeting, holder } of sharedWith(context)) {
    if ((meeting.documents as string[]).includes(id)) return holder.documents.get(id);
  }
  return undefined;
}
