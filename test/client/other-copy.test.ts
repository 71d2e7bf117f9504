/** A client of one copy of the package (ESM) in functions of another copy (CommonJS, or a second version). */
import { memoryStore, type Notetaker, syncMeetings, walkMeetings } from "notetaker-sdk";
import { diagnose } from "notetaker-sdk/doctor";
import { expect, it, vi } from "vitest";
import { type clientOf as clientOfTests, json, refusal } from "../support/recorder.js";
import * as samples from "../support/samples.js";

it.each<[string, (notetaker: Notetaker) => Promise<unknown>]>([
  ["syncMeetings", (notetaker) => syncMeetings(notetaker, { into: memoryStore() })],
  [
    "walkMeetings",
    async (notetaker) => {
      for await (const { meeting } of walkMeetings(notetaker)) expect(meeting.id).toBe(samples.meeting.id);
    },
  ],
  ["diagnose", diagnose],
])("%s uses the client's own fetch, throttle and onRetry", async (_, run) => {
  vi.resetModules();
  const { clientOf } = (await import("../support/recorder.js")) as { clientOf: typeof clientOfTests };
  const acquire = vi.fn(async () => {});
  const onRetry = vi.fn();
  const { notetaker, seen } = clientOf(
    ({ path }, index) => {
      if (index === 0) return refusal(503, "x", { "retry-after": "0" });
      if (path === "/meetings" || path === "/rooms")
        return json(samples.page(path === "/meetings" ? [samples.meeting] : []));
      return path.endsWith("/transcript") ? json(samples.transcript) : refusal(404, "not_found");
    },
    { throttle: { acquire, pause: async () => {} }, onRetry },
  );
  const { Notetaker: ThisCopy } = await import("notetaker-sdk");
  expect(notetaker).toBeInstanceOf(ThisCopy);
  await run(notetaker);
  expect(seen.length).toBeGreaterThan(2);
  expect(acquire).toHaveBeenCalledTimes(seen.length);
  expect(onRetry).toHaveBeenCalledTimes(1);
});
