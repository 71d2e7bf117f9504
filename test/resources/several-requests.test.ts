/** `deadlineMs` limits a call as a whole, also one that sends several requests. */
import { type Notetaker, type RequestOptions, TimeoutError } from "notetaker-sdk";
import { beforeEach, expect, it, vi } from "vitest";
import { clientOf, type Handler, json, rejectionOf } from "../support/recorder.js";
import * as samples from "../support/samples.js";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));

const documents = [{ id: "doc_1", title: "summary" }];
const secretStore = { get: () => undefined, set: () => {} };

type Make = (notetaker: Notetaker, options?: RequestOptions) => Promise<unknown>;

const CALLS: [name: string, Handler, Make][] = [
  [
    "meetings.get",
    (_, index) => json(samples.page([{ ...samples.meeting, id: `mtg_${index}` }], `c${index}`)),
    async ({ meetings }, options) => meetings.get("mtg_9", {}, options),
  ],
  [
    "documents.find",
    ({ path }) => json(path === "/meetings" ? samples.page([{ ...samples.meeting, documents }]) : samples.document),
    ({ documents }, options) => documents.find("mtg_1", "summary", {}, options),
  ],
  [
    "webhooks.ensure",
    ({ method }) => json(method === "GET" ? [] : { id: "whk_1", secret: "whsec_1" }),
    ({ webhooks }, options) =>
      webhooks.ensure({ url: "https://example.com/hooks", events: ["meeting.transcript_ready"], secretStore }, options),
  ],
];

it.each(CALLS)("the deadline of %s does not begin anew with its second request", async (_, handler, make) => {
  const later: Handler = async (...request) => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    return handler(...request);
  };
  for (const [ofClient, ofCall] of [
    [{ deadlineMs: 100 }, {}],
    [{ deadlineMs: 1_000 }, { deadlineMs: 100 }],
  ]) {
    const { notetaker, seen } = clientOf(later, ofClient);
    const startedAt = Date.now();
    const failed = rejectionOf(TimeoutError, make(notetaker, ofCall)).then(({ message }) => [message, Date.now()]);
    await vi.runAllTimersAsync();
    expect(await failed).toEqual([expect.stringMatching(/ timed out after 40 ms \(deadlineMs\)$/), startedAt + 100]);
    expect(seen).toHaveLength(2);
  }
});
