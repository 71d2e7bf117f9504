/** Give it a timeout of 15 minutes. */
import { Notetaker, syncMeetings } from "notetaker-sdk";
import { folderStore } from "notetaker-sdk/node";

const notetaker = new Notetaker();
const into = folderStore(process.env.MEETINGS_FOLDER ?? "/mnt/meetings");

export async function handler(
  _: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<void> {
  // If the time is used up, the next run continues.
  const ms = Math.max(1, context.getRemainingTimeInMillis() - 60_000);
  await syncMeetings(notetaker, { into, budget: { ms } });
}
