/** An account in which every list has an invalid row, and the fields that can still be read. */
import { aMeeting, anEvent, aRoom, aTranscript, type Seed } from "notetaker-sdk/testing";
import type { Changes } from "./changed-service.js";

const transcript = aTranscript({ lines: [["Ines", "Good morning."]] });
const webhook = { url: "https://app.example.com/hooks", secret: "whsec_odd" };

/** The invalid fields of the meetings. */
const ODD_MEETINGS: Changes = {
  mtg_duration: { duration: 1860.5 },
  mtg_title: { title: 5 },
  mtg_start: { start_time: null },
  mtg_documents: { documents: {} },
  mtg_participants: { participants: [null] },
};

const segment = { speaker_id: "spk_1", start_time: 0, end_time: 1, text: "Good \u0000 morning \ud83d" };

export const oddFields: Changes = {
  ...ODD_MEETINGS,
  "transcript of mtg_segment": { segments: [null, { text: 5 }, segment] },
  doc_odd: { title: 5 },
  per_1: { role: 5 },
  room_odd: { meeting_count: "many" },
  evt_odd: { start_time: null },
  whk_odd: { events: null },
};

const summary = { title: "Summary", blocks: [{ type: "paragraph" as const, text: "They met." }] };

export const oddAccount: Seed = {
  meetings: [
    aMeeting({ id: "mtg_plain", title: "Plain", transcript, documents: [summary] }),
    ...Object.keys(ODD_MEETINGS).map((id) => aMeeting({ id, transcript })),
    aMeeting({ id: "mtg_segment", transcript }),
    aMeeting({ id: "mtg_document", documents: [{ ...summary, id: "doc_odd" }] }),
    aMeeting({ id: "mtg_permission", permissions: [{ id: "per_1", recipient: { type: "anyone" }, role: "read" }] }),
  ],
  rooms: [aRoom({ title: "Plain" }), aRoom({ id: "room_odd", title: "Odd" })],
  events: [anEvent({ id: "evt_odd", title: "Odd", start_time: "2025-06-03T09:00:00Z" })],
  webhooks: [webhook, { ...webhook, id: "whk_odd" }],
};
