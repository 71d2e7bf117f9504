/** What an editor shows for the packed package: the comments of fields, and the names of types. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { quickInfos, undocumentedFields } from "../support/editor.js";

const folder = inject("installed");

/** The type that an editor names, and a value of it. */
const VALUES: Readonly<Record<string, string>> = {
  Meeting: "(await notetaker.meetings.list()).data[0]!",
  Room: "await notetaker.rooms.get('room_1')",
  "Page<Room>": "await notetaker.rooms.list()",
  Transcript: "await notetaker.meetings.getTranscript('mtg_1')",
  Segment: "(await notetaker.meetings.getTranscript('mtg_1')).segments[0]!",
  Document: "await notetaker.documents.get('doc_1')",
  Permission: "await notetaker.permissions.set('mtg_1', { recipient: { type: 'anyone' }, role: 'read' })",
  Webhook: "(await notetaker.webhooks.list())[0]!",
  SendBotResult: "await notetaker.meetings.sendBot({ meeting_url: '' })",
  EventBotResult: "await notetaker.meetings.cancelBot('evt_1')",
  UploadResult: "await notetaker.meetings.upload(new Blob())",
  RecordingLink: "await notetaker.meetings.getRecording('mtg_1')",
  Automation: "await notetaker.settings.getNotetakerAutomation()",
  CreatedWebhook: "await notetaker.webhooks.create({ url: '', events: [] })",
  UpcomingMeeting: "(await notetaker.meetings.upcoming())[0]!",
  'MeetingWith<"documents">': "(await notetaker.meetings.list({ expand: ['documents'] })).data[0]!",
  'RoomWith<"documents" | "meetings">': "await notetaker.rooms.get('room_1', { expand: ['documents', 'meetings'] })",
};

/** A program with a variable for each value. `end` is what it does with each. */
function programWith(name: string, end: (variable: string) => string): string {
  const file = join(folder, name);
  const lines = Object.values(VALUES).map((value, index) => `export const value${index} = ${value};`);
  const start = `import type { Notetaker } from "notetaker-sdk";\ndeclare const notetaker: Notetaker;\n`;
  writeFileSync(file, [start, ...lines, ...lines.map((_, index) => end(`value${index}`))].join("\n"));
  return file;
}

test("an editor shows the comment of a field where it is used", () => {
  const file = programWith("fields.mts", (variable) => `${variable}.;`);
  const variables = Object.keys(VALUES).map((_, index) => `value${index}`);
  expect(undocumentedFields(file, variables)).toEqual([]);
});

test("an editor shows the name of a type", () => {
  const file = programWith("hovers.mts", () => "");
  const names = Object.keys(VALUES);
  const shown = quickInfos(
    file,
    names.map((_, index) => `value${index}`),
  );
  expect(shown).toEqual(names.map((name, index) => `const value${index}: ${name}`));
});
