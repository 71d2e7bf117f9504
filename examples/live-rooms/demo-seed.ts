/** The data for the page: a few rooms, and meetings whose transcripts are not ready yet. */
import type { KnownMeetingStatus } from "notetaker-sdk";
import { aMeeting, aRoom, aTranscript, type MeetingSeed, type Seed } from "notetaker-sdk/testing";

const today = (time: string) => `${new Date().toISOString().slice(0, 10)}T${time}:00Z`;

const room = (title: string, created: string, meetings: MeetingSeed[]) =>
  aRoom({ title, created_at: today(created), updated_at: today(created), meetings });

const meeting = (id: string, title: string, source: string, time: string, status: KnownMeetingStatus) =>
  aMeeting({ id, title, source, status, start_time: today(time) });

export const demoSeed: Seed = {
  rooms: [
    room("Product", "06:30", [
      meeting("mtg_roadmap", "Roadmap review", "google_meet", "08:30", "completed"),
      {
        ...meeting("mtg_research", "Customer interview, Larkspur Clinics", "zoom", "09:15", "processing"),
        transcript: aTranscript({
          lines: [
            ["Ines", "What does the first hour of your day look like?"],
            ["Dr. Okafor", "Mostly reading notes of meetings that I was not in."],
            ["Ines", "And if there were none?"],
            ["Dr. Okafor", "Then I would have to ask five people, and wait for three of them."],
          ],
        }),
      },
      meeting("mtg_triage", "Bug triage", "teams", "10:00", "processing"),
    ]),
    room("Sales", "06:20", [
      meeting("mtg_demo", "Demo, Halden & Sons", "zoom", "11:00", "processing"),
      meeting("mtg_pipeline", "Pipeline", "phone", "07:45", "completed"),
    ]),
    room("Hiring", "06:10", [
      meeting("mtg_panel", "Interview panel", "google_meet", "12:30", "processing"),
      meeting("mtg_screening", "Phone screening", "phone", "09:00", "failed"),
      meeting("mtg_debrief", "Debrief", "zoom", "16:00", "scheduled"),
    ]),
  ],
};
