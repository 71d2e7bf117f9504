import {
  errorResponse,
  InvalidArgumentError,
  type Meeting,
  NotFoundError,
} from "notetaker-sdk";
import { readJson } from "notetaker-sdk/browser";
import { notetakerOf } from "./notetaker";
import { sentenceOf } from "./sentence-of";
import type { Tenant } from "./tenants";

export const PAGE = 8;

/** At most `count`, and whether there are more: one request. */
export async function listMeetings(
  tenant: Tenant,
  search: string,
  count: number,
) {
  const limit = count + 1;
  const filter = search ? { limit, search } : { limit };
  const { data } = await notetakerOf(tenant).meetings.list(filter);
  return { meetings: data.slice(0, count), hasMore: data.length > count };
}

/** `undefined` if it does not exist (yet), or belongs to another tenant. */
export async function found<T>(
  reading: PromiseLike<T>,
): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof InvalidArgumentError)
      return undefined;
    throw error;
  }
}

/** No event says that it is listed or has failed: an open page asks. */
export const canChange = ({ status }: Meeting) =>
  status === "scheduled" || status === "processing";

/** Transcript and summary come within the hour after a call, or not at all. */
export const isRecent = ({ start_time, duration }: Meeting) =>
  Date.now() - Date.parse(start_time) - (duration ?? 0) * 1_000 < 3_600_000;

export const isRecentBot = (meeting: Meeting) =>
  meeting.source !== "upload" && (canChange(meeting) || isRecent(meeting));

/** Logs a failure, and says it as the page does for what its server refuses. */
export async function failure(
  error: unknown,
  action?: Parameters<typeof sentenceOf>[1],
): Promise<string> {
  console.error(action ?? "read", error);
  const shown = await readJson(errorResponse(error)).catch((shown) => shown);
  return sentenceOf(shown, action);
}
