/** Which meetings accounts share with each other: found by the email address of the recipient, without a search. */
import type { Permission } from "../../schemas/permission.js";
import type { MeetingRecord } from "./records.js";
import type { EmulatorContext } from "./state.js";

const emailOf = ({ recipient }: Permission): string | undefined =>
  typeof recipient.email === "string" ? recipient.email.toLowerCase() : undefined;

/** Notes that a meeting of the account has this permission. A note stays when the permission or the meeting goes. */
export function noteShare({ service, index }: EmulatorContext, meetingId: string, permission: Permission): void {
  const email = emailOf(permission);
  if (email === undefined) return;
  const { shares } = service.state;
  const byAccount = shares.get(email) ?? new Map<number, Set<string>>();
  byAccount.set(index, (byAccount.get(index) ?? new Set()).add(meetingId));
  shares.set(email, byAccount);
}

/** The meetings of other accounts that a permission shares with the user of this account now. */
export function sharedMeetings(context: EmulatorContext): { meeting: MeetingRecord; holder: EmulatorContext }[] {
  const email = context.state.account.user.email.toLowerCase();
  const shared: { meeting: MeetingRecord; holder: EmulatorContext }[] = [];
  for (const [index, meetingIds] of context.service.state.shares.get(email) ?? []) {
    const holder = context.service.accounts[index];
    if (holder === undefined || index === context.index) continue;
    for (const id of meetingIds) {
      const meeting = holder.state.meetings.get(id);
      const isShared = meeting?.owned && meeting.permissions.some((permission) => emailOf(permission) === email);
      if (isShared && !holder.state.hidden.has(id)) shared.push({ meeting, holder });
    }
  }
  return shared;
}
