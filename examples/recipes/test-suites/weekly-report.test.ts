// #region test
import { Notetaker } from "notetaker-sdk";
import { aMeeting, aTranscript, createEmulator } from "notetaker-sdk/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { weeklyReport } from "./weekly-report.js";

const transcript = aTranscript({
  lines: [["Ines", "Good morning everybody."]],
});
const service = createEmulator({
  seed: {
    meetings: [
      aMeeting({ start_time: "2025-05-23T09:00:00Z", transcript }),
      aMeeting({ start_time: "2025-05-26T09:00:00Z", transcript }),
      aMeeting({
        title: "Friday",
        start_time: "2025-05-30T09:00:00Z",
        transcript: null,
      }),
    ],
  },
});
const notetaker = new Notetaker(service.clientOptions);

beforeEach(() => service.reset());
afterEach(() => expect(service.faults.unused()).toEqual([]));

test("counts words, and lists meetings without a transcript", async () => {
  expect(await weeklyReport(notetaker, "2025-05-26")).toEqual({
    meetings: 2,
    words: 3,
    waiting: ["Friday"],
  });
});
// #endregion

test("retries after an outage", async () => {
  service.faults.next("GET /meetings", {
    status: 503,
    retryAfterSeconds: 0,
    times: 2,
  });
  expect((await weeklyReport(notetaker, "2025-05-26")).meetings).toBe(2);
});
