/** A batch with every kind of statement, for tests that kill its writer. */
import type { MeetingStore, StoreBatch } from "notetaker-sdk";
import { documentOf, itemOf, meetingOf, transcriptOf } from "../sync/store/store-items.js";
import { type Query, readMeeting } from "./visible.js";

const documents = [documentOf("doc_1"), documentOf("doc_2")];

/** What is stored before. */
export const KILLED_START: StoreBatch = {
  state: "old",
  items: [
    itemOf("mtg_1", { documents }),
    itemOf("mtg_2", { documents }),
    itemOf("mtg_3", { meeting: undefined }),
    itemOf("mtg_4", { meeting: undefined }),
  ],
  removed: [],
};

const before = (id: string) => itemOf(id).memory;

export const KILLED_BATCH: StoreBatch = {
  state: "new",
  nextAt: new Date("2026-03-01T00:00:00Z"),
  items: [
    itemOf("mtg_1", {
      before: before("mtg_1"),
      memory: "new",
      meeting: meetingOf("mtg_1", "New"),
      transcript: transcriptOf("mtg_1", "New"),
      documents: [documentOf("doc_3")],
      documentsGone: ["doc_1"],
    }),
    itemOf("mtg_3", { before: before("mtg_3"), memory: "new", documents }),
    itemOf("mtg_4", { before: before("mtg_4"), memory: "new", meeting: undefined, dueAt: new Date(0) }),
    itemOf("mtg_5", { memory: "new" }),
    itemOf("mtg_6", { memory: "new", meeting: undefined }),
  ],
  health: { polledAt: new Date(0), failingSince: undefined, error: undefined },
  removed: [
    { id: "mtg_2", before: before("mtg_2") },
    { id: "mtg_7", before: undefined, memory: "forgotten" },
  ],
};

/** The ids that a second write of the batch is refused for. */
export const KILLED_IDS = ["mtg_1", "mtg_2", "mtg_3", "mtg_4", "mtg_5", "mtg_6", "mtg_7"];

/** All that is stored. */
export async function snapshot(store: MeetingStore, query: Query) {
  const ids = await store.ids(undefined, 100);
  const meetings = [];
  for (const id of KILLED_IDS) meetings.push(await readMeeting(query, id));
  const all = await query("SELECT meeting_id, id FROM notetaker_documents ORDER BY meeting_id, id");
  return {
    state: await store.readState(),
    memory: [...(await store.readMemory(ids))].sort(),
    due: await store.due(new Date(), 100),
    accounts: await query("SELECT next_at, polled_at FROM notetaker_accounts"),
    meetings,
    all,
  };
}
