/** What the pages read. */

import { cacheLife, cacheTag } from "next/cache";
import { NotFoundError } from "notetaker-sdk";
import { notetaker } from "./notetaker";

/** The tag of every list. The webhook and the actions expire it. */
export const MEETINGS = "meetings";

/** A `Page` has methods, so that a client component gets `page.toJSON()`. */
export async function listMeetings(search: string, cursor: string) {
  "use cache";
  cacheTag(MEETINGS);
  cacheLife("minutes"); // also without an event, a failed meeting is shown soon
  const page = await notetaker().meetings.list({
    limit: 8,
    expand: ["documents"],
    ...(search && { search }),
    ...(cursor && { cursor }),
  });
  return page.toJSON();
}

/** `undefined` if it does not exist (yet), or belongs to somebody else. */
export async function found<T>(
  reading: PromiseLike<T>,
): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
