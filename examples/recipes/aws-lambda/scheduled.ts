/** Give it a timeout of 15 minutes. */
import { Notetaker, syncMeetings } from "notetaker-sdk";
import { folderStore } from "notetaker-sdk/node";

const notetaker = new Notetaker();
const into = folderStore(process.env.MEETINGS_FOLDER ?? "/mnt/meetings");

export async function handler(
  _: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<void> {
  // If the time is used up, the next run continues. Not a budget: with one, a
  // run ends where it would have to wait for the account's limit.
  const ms = Math.max(1, context.getRemainingTimeInMillis() - 60_000);
  const signal = AbortSignal.timeout(ms);
  await syncMeetings(notetaker, { into, signal }).catch((error) => {
    if (!signal.aborted) throw error;
  });
}
