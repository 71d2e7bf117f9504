/** Functions that take a client, called without one. */
import { expect, test } from "vitest";
import { diagnose } from "../../src/doctor/diagnose.js";
import { saveDocument } from "../../src/node/files/save-document.js";
import { saveRecording } from "../../src/node/files/save-recording.js";
import { memoryStore } from "../../src/sync/memory-store.js";
import { syncMeetings } from "../../src/sync/sync-meetings.js";
import { walkMeetings } from "../../src/walk/walk-meetings.js";

const into = memoryStore();
const TAKES_CLIENT = {
  syncMeetings: (client: never) => syncMeetings(client, { into }),
  walkMeetings: (client: never) => walkMeetings(client).next(),
  diagnose: (client: never) => diagnose(client),
  saveRecording: (client: never) => saveRecording(client, "mtg_1", "weekly.mp4"),
  saveDocument: (client: never) => saveDocument(client, "doc_1", "summary.md"),
};

test.for(Object.entries(TAKES_CLIENT))(
  "%s says that it needs a client if it gets something else",
  async ([name, call]) => {
    for (const [value, kind] of [
      [undefined, "nothing"],
      ["https://a.example/v1", "a string"],
      [{ into }, "an object"],
    ]) {
      const message = `${name}: notetaker: expected a client, received ${kind}`;
      await expect(call(value as never)).rejects.toMatchObject({ name: "InvalidArgumentError", message });
    }
  },
);
