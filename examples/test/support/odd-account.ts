/** An account in which every list has an invalid row, and the fields that can still be read. */
import { aMeeting, anEvent, aRoom, aTranscript, type DocumentSeed, type Seed } from "notetaker-sdk/testing";

const lines: [string, string][] = [["Ines", "Good morning."]];
const webhook = { url: "https://app.example.com/hooks", secret: "whsec_odd" };

/** The invalid fields of a meeting, by the meeting's id. */
const ODD_MEETINGS: Record<string, Record<string, unknown>> = {
  mtg_duration: { duration: 1860.5 },
  mtg_title: { title: 5 },
  mtg_start: { start_time: null },
  mtg_documents: { documents: {} },
  mtg_participants: { participants: [null] },
};

const summary: DocumentSeed = { title: "Summary", blocks: [{ type: "paragraph", text: "They met." }] };
const oddTranscript = aTranscript({ lines });

export const oddAccount: Seed = {
  meetings: [
    aMeeting({
      id: "mtg_plain",
      title: "Plain",
      transcript: aTranscript({ lines }),
      documents: [summary],
    }),
    ...Object.entries(ODD_MEETINGS).map(([id, extra]) => aMeeting({ id, transcript: aTranscript({ lines }), extra })),
    aMeeting({
      id: "mtg_segment",
      transcript: {
        ...oddTranscript,
        extra: { segments: [null, { text: 5 }, ...segmentsOf("Good \u0000 morning \ud83d")] },
      },
    }),
    aMeeting({ id: "mtg_document", documents: [{ ...summary, extra: { title: 5 } }] }),
    aMeeting({
      id: "mtg_permission",
      permissions: [{ id: "per_1", recipient: { type: "anyone" }, role: "read", extra: { role: 5 } }],
    }),
  ],
  rooms: [aRoom({ title: "Plain" }), aRoom({ title: "Odd", extra: { meeting_count: "many" } })],
  events: [anEvent({ title: "Odd", start_time: "2025-06-03T09:00:00Z", extra: { start_time: null } })],
  webhooks: [webhook, { ...webhook, extra: { events: null } }],
};

function segmentsOf(text: string): object[] {
  return [{ speaker_id: "spk_1", start_time: 0, end_time: 1, text }];
}
