/** Requests a page of the meeting list, with its rows as they were received. */
import * as z from "zod/mini";
import { PaginationError } from "../../errors/call-errors.js";
import type { MeetingListParams } from "../../schemas/meeting-list.js";
import { pageSchema } from "../../schemas/page.js";
import type { MeetingClient } from "./meeting-client.js";

export interface RawPage {
  /** The rows, of which each may be anything. */
  readonly data: readonly unknown[];
  readonly has_more: boolean;
  readonly next_cursor?: string | null | undefined;
}

const rawPageSchema = /* @__PURE__ */ pageSchema(z.unknown());

/**
 * The client's own check reads a missing list of documents as an empty list: then a row without the list would say that
 * all documents are gone. So only the page is checked, here; each row is checked when it is read.
 */
export async function requestPage(
  client: MeetingClient,
  params: MeetingListParams,
  signal: AbortSignal,
): Promise<RawPage> {
  const { meetings } = client.withOptions?.({ validation: "off" }) ?? client;
  const page: RawPage = await meetings.list({ ...params, expand: ["documents"] }, { signal });
  if (!z.safeParse(rawPageSchema, page).success)
    throw new PaginationError({ message: "meetings.list: the response is not a page" });
  return page;
}
