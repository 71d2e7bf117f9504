/** What an editor shows for the packed package: a comment for every public member, and the names of types. */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { quickInfo, undocumentedMembers } from "../support/undocumented.js";

const folder = inject("installed");
const packageFile = join(folder, "node_modules/notetaker-sdk/package.json");
/** The type declarations of every entry point. */
const entries = Object.entries(
  JSON.parse(readFileSync(packageFile, "utf8")).exports as Record<string, string | { import: { types: string } }>,
).flatMap(([name, target]) =>
  typeof target === "string" ? [] : [[name, join(dirname(packageFile), target.import.types)] as const],
);

describe("every public member has a comment", () => {
  test.each(entries)("in the entry point %s", (_, file) => {
    expect(undocumentedMembers([file], join(dirname(packageFile), "dist"))).toEqual([]);
  });
});

describe("an editor shows a type's name", () => {
  const NAMES: Readonly<Record<string, string>> = {
    meeting: "(await notetaker.meetings.list()).data[0]!",
    room: "await notetaker.rooms.get('room_1')",
    transcript: "await notetaker.meetings.getTranscript('mtg_1')",
    segment: "(await notetaker.meetings.getTranscript('mtg_1')).segments[0]!",
    document: "await notetaker.documents.get('doc_1')",
    permission: "await notetaker.permissions.set('mtg_1', { recipient: { type: 'anyone' }, role: 'read' })",
    webhook: "(await notetaker.webhooks.list())[0]!",
    sendBotResult: "await notetaker.meetings.sendBot({ meeting_url: '' })",
    eventBotResult: "await notetaker.meetings.cancelBot('evt_1')",
    uploadResult: "await notetaker.meetings.upload(new Blob())",
    recordingLink: "await notetaker.meetings.getRecording('mtg_1')",
    automation: "await notetaker.settings.getNotetakerAutomation()",
    createdWebhook: "await notetaker.webhooks.create({ url: '', events: [] })",
    upcomingMeeting: "(await notetaker.meetings.upcoming())[0]!",
  };
  const typeName = (variable: string) => variable.charAt(0).toUpperCase() + variable.slice(1);

  test.each(Object.entries(NAMES))("for a value of %s", (variable, value) => {
    const file = join(folder, `hover-${variable}.mts`);
    writeFileSync(
      file,
      `import type { Notetaker } from "notetaker-sdk";\ndeclare const notetaker: Notetaker;\nexport const ${variable} = ${value};\n`,
    );
    expect(quickInfo(file, variable)).toBe(`const ${variable}: ${typeName(variable)}`);
  });

  test("for a page", () => {
    const file = join(folder, "hover-page.mts");
    writeFileSync(
      file,
      `import type { Notetaker } from "notetaker-sdk";\ndeclare const notetaker: Notetaker;\nexport const rooms = await notetaker.rooms.list();\n`,
    );
    expect(quickInfo(file, "rooms")).toMatch(/^const rooms: Page<Room>$/);
  });
});
