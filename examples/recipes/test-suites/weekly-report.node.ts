import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { weeklyReport } from "./weekly-report.js";

// The default account: its newest meeting began on 2025-06-02.
const service = createEmulator();
const notetaker = new Notetaker({
  baseUrl: service.baseUrl,
  token: service.token,
  fetch: service.fetch,
});

beforeEach(() => service.reset());
afterEach(() => assert.deepEqual(service.faults.unused(), []));

test("counts words, and lists meetings without a transcript", async () => {
  const report = await weeklyReport(notetaker, "2025-05-26");
  assert.equal(report.meetings, 7);
  assert.ok(report.words > 300, `${report.words} words`);
  assert.deepEqual(report.waiting, ["Panel discussion.mp3", "Partner call"]);
});

test("gives up on a service that is down", async () => {
  service.faults.next("GET /meetings", {
    status: 503,
    retryAfterSeconds: 0,
    times: 3,
  });
  await assert.rejects(weeklyReport(notetaker, "2025-05-26"), {
    name: "ServerError",
    attempts: 3,
  });
});
