/** The journey of `syncMeetings`: runs until nothing is due any more. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryStore, syncMeetings } from "notetaker-sdk";
import * as samples from "../support/samples.js";
import type { Context } from "./journeys.js";

const POLL_MS = 20;
const MAX_RUNS = 5;

/** Resolves to what is missing in the end; `undefined`: nothing. */
export async function sync({ notetaker, signal }: Context): Promise<string | undefined> {
  const into = memoryStore();
  const parts: string[] = [];
  for (let runs = 1; ; runs += 1) {
    await syncMeetings(notetaker, {
      into,
      formats: { documents: ["html"] },
      pollMs: POLL_MS,
      requestsPerMinute: 1e6,
      signal,
      onChange: ({ changed }) => void parts.push(...changed.map((part) => JSON.stringify(part))),
    });
    const missing = into.meetings.get("mtg_1")?.missing ?? [];
    // A pause that the service asks for lasts longer than this journey.
    const putOff = missing.find(({ status, retryable }) => status === 429 && retryable);
    if (putOff !== undefined && runs === MAX_RUNS) return `${putOff.what}: put off`;
    if (!missing.some(({ retryable }) => retryable)) {
      const [lack] = missing;
      const stored = into.meetings.get("mtg_1");
      assert.deepEqual([...into.meetings.keys()], ["mtg_1"]);
      assert.equal(new Set(parts).size, parts.length, `written twice: ${parts}`);
      if (lack !== undefined) return `${lack.what}: ${lack.reason}`;
      assert.deepEqual(stored?.transcript, samples.transcript);
      assert.deepEqual(stored?.documents, [samples.document]);
      return undefined;
    }
    assert.ok(runs < MAX_RUNS, `after ${runs} runs: ${JSON.stringify(missing)}`);
    await sleep(2 * POLL_MS);
  }
}
