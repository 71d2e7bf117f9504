import {
  InvalidArgumentError,
  type Meeting,
  NotFoundError,
} from "notetaker-sdk";
import { notetaker } from "./notetaker";

/** At most `count`, and one more if there are more. */
export async function listMeetings(search: string, count: number) {
  const limit = Math.min(count + 1, 100);
  const list = notetaker().meetings.list({ limit, ...(search && { search }) });
  const meetings: Meeting[] = [];
  for await (const meeting of list) if (meetings.push(meeting) > count) break;
  return meetings;
}

/** `undefined` if it does not exist (yet), belongs to somebody else, or the id is none. */
export async function found<T>(
  reading: () => PromiseLike<T>,
): Promise<T | undefined> {
  try {
    return await reading();
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof InvalidArgumentError)
      return undefined;
    throw error;
  }
}
