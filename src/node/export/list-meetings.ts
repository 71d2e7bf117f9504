/** Reads the meeting list page by page, and queues what there is to save of the meetings on each. */
import { BadRequestError } from "../../errors/bad-request-error.js";
import { InvalidRequestError } from "../../errors/invalid-request-error.js";
import { PaginationError } from "../../errors/pagination-error.js";
import type { Meeting } from "../../schemas/meeting.js";
import type { PageEnvelope } from "../../schemas/page.js";
import { json, type QueuedMeeting, readNames, writeNames } from "./checkpoint.js";
import { callOptions, type Run } from "./export-context.js";
import { idName } from "./file-names.js";
import { namesOf, piecesOf } from "./pieces.js";

/** Small enough for the checkpoint, which is written after every piece; large enough for few requests. */
const PAGE_SIZE = 50;

/** Resolves once the next page is in the checkpoint. `used` are the cursors of the pages that this run has read. */
export async function queueNextPage(run: Run, used: Set<string>): Promise<void> {
  const { checkpoint, output, plan } = run;
  run.report("listing");
  const page = await readPage(run, used);
  const queue: QueuedMeeting[] = [];
  for (const meeting of page.data) {
    const id = idName(meeting.id);
    const names = namesOf(meeting, await readNames(output, id));
    await writeNames(output, id, names);
    await output.saveFile(`${names.folder}/meeting.json`, json(meeting));
    const { pieces, missing } = piecesOf(meeting, names, plan);
    for (const one of missing) checkpoint.addMissing(one);
    if (pieces.length > 0) queue.push({ meeting, folder: names.folder, pieces });
  }
  await checkpoint.turn({
    queue,
    cursor: page.next_cursor,
    allListed: !page.has_more,
    meetings: checkpoint.state.meetings + page.data.length,
  });
}

async function readPage(run: Run, used: Set<string>): Promise<PageEnvelope<Meeting>> {
  const { checkpoint } = run;
  const { cursor } = checkpoint.state;
  const params = {
    limit: PAGE_SIZE,
    expand: ["documents" as const],
    ...(run.plan.since !== undefined && { start_date: run.plan.since }),
    ...(cursor !== null && { cursor }),
  };
  try {
    const { data: page } = await run.requests.persistently(() =>
      run.notetaker.meetings.list(params, callOptions(run)).withResponse(),
    );
    if (cursor !== null) used.add(cursor);
    if (page.has_more && (!page.next_cursor || used.has(page.next_cursor))) {
      throw new PaginationError("exportMeetings: a page of meetings promises more and gives no new cursor to it");
    }
    return page;
  } catch (error) {
    const outdated = cursor !== null && used.size === 0 && isRefused(error);
    if (!outdated) throw error;
    // A cursor of an earlier run that the service no longer takes: what was saved is walked over again.
    checkpoint.restart();
    return readPage(run, used);
  }
}

const isRefused = (error: unknown) => error instanceof BadRequestError || error instanceof InvalidRequestError;
