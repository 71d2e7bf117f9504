import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { weeklyReport } from "./weekly-report.js";

const service = createEmulator();
const notetaker = new Notetaker(service.clientOptions);

beforeEach(() => service.reset());
afterEach(() => assert.deepEqual(service.faults.unused(), []));

test("counts words, and lists meetings without a transcript", async () => {
  const { waiting } = await weeklyReport(notetaker, "2025-05-26");
  assert.deepEqual(waiting, ["Panel discussion.mp3", "Partner call"]);
});
