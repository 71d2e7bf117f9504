/** All waits of one client with the same headers share their polls. Their limits, signals and results stay separate. */
import { AsyncLocalStorage } from "node:async_hooks";
import { Notetaker, type PollReport, WaitTimeoutError } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { expect, it, vi } from "vitest";
import { clientOf, json, refusal, rejection, type Seen } from "../support/recorder.js";
import { inTime, meeting, notFound, page, TRANSCRIPT, useFakeClock } from "./service.js";

useFakeClock();

const IDS = Array.from({ length: 8 }, (_, index) => `mtg_${index + 1}`);
const idsOf = ({ query }: Seen) => query.filter(([name]) => name === "id").map(([, value]) => value);

/** A service whose meetings have the statuses that `status` returns, by id and time in seconds. */
function account(status: (id: string, second: number) => string | undefined, options = {}) {
  const client = clientOf((seen) => {
    const second = Date.now() / 1_000;
    if (seen.path.endsWith("/transcript")) {
      const id = seen.path.split("/")[2] ?? "";
      return status(id, second) === "completed" ? json({ ...TRANSCRIPT, meeting_id: id }) : notFound();
    }
    const rows = idsOf(seen).flatMap((id) => {
      const value = status(id, second);
      return value === undefined ? [] : [meeting(value, id)];
    });
    return page(...rows);
  }, options);
  const counts = () => {
    const transcripts = client.seen.filter(({ path }) => path.endsWith("/transcript")).length;
    return { lists: client.seen.length - transcripts, transcripts, all: client.seen.length };
  };
  return { ...client, counts };
}

const waitForAll = ({ notetaker }: Pick<ReturnType<typeof account>, "notetaker">, ids: string[]) =>
  inTime(Promise.all(ids.map((id) => notetaker.meetings.waitForTranscript(id))));

it.each([
  ["are processed for a minute", (_: string, second: number) => (second < 60 ? "processing" : "completed")],
  ["are processed for 40 seconds", (_: string, second: number) => (second < 40 ? "processing" : "completed")],
  [
    "are not listed for a while",
    (_: string, second: number) => (second < 10 ? undefined : second < 60 ? "processing" : "completed"),
  ],
  ["have an unknown status for a minute", (_: string, second: number) => (second < 60 ? "diarizing" : "completed")],
])("eight waits send at most twice the requests of one wait if their meetings %s", async (_, status) => {
  const one = account(status);
  await waitForAll(one, IDS.slice(0, 1));
  vi.setSystemTime(0);
  const eight = account(status);
  const { value } = await waitForAll(eight, IDS);
  expect(value?.map(({ meeting_id }) => meeting_id)).toEqual(IDS);
  expect(eight.counts().all).toBeLessThanOrEqual(2 * one.counts().all);
  expect(eight.counts().lists).toBe(one.counts().lists);
});

it("eight waits that start one after the other share their polls, too", async () => {
  const status = (_: string, second: number) => (second < 60 ? "processing" : "completed");
  const one = account(status);
  await waitForAll(one, IDS.slice(0, 1));
  vi.setSystemTime(0);
  const eight = account(status);
  const waits = IDS.map(async (id, index) => {
    await new Promise((resolve) => setTimeout(resolve, index * 37));
    return eight.notetaker.meetings.waitForTranscript(id);
  });
  await inTime(Promise.all(waits));
  expect(eight.counts().all).toBeLessThanOrEqual(2 * one.counts().all);
});

it("eight waits with a short pollMs poll as often as one", async () => {
  const service = account((_, second) => (second < 0.5 ? "processing" : "completed"));
  const waits = IDS.map(async (id, index) => {
    await new Promise((resolve) => setTimeout(resolve, index * 3));
    return service.notetaker.meetings.waitForTranscript(id, { pollMs: 50 });
  });
  const { at } = await inTime(Promise.all(waits));
  expect(at).toBeLessThan(650);
});

it("an event about one meeting wakes its wait for documents", async () => {
  const client = clientOf(() =>
    page({ ...meeting("completed", "mtg_1"), documents: Date.now() < 2_000 ? [] : [{ id: "doc_1" }] }),
  );
  async function* events() {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    yield { kind: "meeting.initial_summary_ready", meetingId: "mtg_1", payload: {} };
  }
  const { at } = await inTime(client.notetaker.meetings.waitForDocuments("mtg_1", { wake: events() }));
  expect(at).toBe(2_000);
});

it("eight waits without a readable list request one transcript per poll, in turn", async () => {
  const client = clientOf(({ path }) => {
    if (!path.endsWith("/transcript")) return refusal(404, "not_found");
    return Date.now() < 60_000 ? notFound() : json({ ...TRANSCRIPT, meeting_id: path.split("/")[2] });
  });
  const { value, at } = await waitForAll(client, IDS);
  expect(value?.map(({ meeting_id }) => meeting_id)).toEqual(IDS);
  expect(at).toBeLessThanOrEqual(100_000);
  const before = client.seen.slice(0, 16).map(({ path }) => path);
  expect(before.filter((path) => path.endsWith("/transcript"))).toEqual(IDS.map((id) => `/meetings/${id}/transcript`));
});

it("a wait with a long pollMs gets its result from the poll of another wait", async () => {
  const { notetaker } = account((_, second) => (second < 4 ? "processing" : "completed"));
  const waits = [5_000, 60_000].map((pollMs, index) =>
    notetaker.meetings.waitForCompletion(`mtg_${index}`, { pollMs }),
  );
  expect((await inTime(Promise.all(waits))).at).toBe(5_000);
});

it("a wait that starts during a request sends its own request", async () => {
  const client = clientOf(async (seen) => {
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    return page(...idsOf(seen).map((id) => meeting("completed", id)));
  });
  const first = client.notetaker.meetings.waitForCompletion("mtg_1");
  await vi.advanceTimersByTimeAsync(500);
  const second = client.notetaker.meetings.waitForCompletion("mtg_2");
  const { value } = await inTime(Promise.all([first, second]));
  expect(value?.map(({ id }) => id)).toEqual(["mtg_1", "mtg_2"]);
  expect(client.seen.map(idsOf)).toEqual([["mtg_1"], ["mtg_2"]]);
});

it("a wait that is aborted before its request is sent sends nothing, and does not end other waits", async () => {
  const service = account(() => "completed", { token: () => "tok_1" });
  const controller = new AbortController();
  const { signal } = controller;
  const aborted = rejection(service.notetaker.meetings.waitForCompletion("mtg_1", { signal }));
  // With a token function, a request is sent a moment later.
  await vi.advanceTimersByTimeAsync(10);
  controller.abort("mine");
  const next = service.notetaker.meetings.waitForCompletion("mtg_2");
  expect(await aborted).toBe("mine");
  expect((await inTime(next)).value?.id).toBe("mtg_2");
  expect(service.seen.map(idsOf)).toEqual([["mtg_2"]]);
});

it("a poll pauses for the longest Retry-After of its requests", async () => {
  const times: number[] = [];
  const client = clientOf((seen) => {
    if (seen.path === "/meetings") {
      times.push(Date.now());
      return page(...idsOf(seen).map((id) => meeting("completed", id)));
    }
    const [, , id = ""] = seen.path.split("/");
    if (times.length > 1) return json({ ...TRANSCRIPT, meeting_id: id });
    return refusal(429, "rate_limited", { "retry-after": id === "mtg_1" ? "60" : "10" });
  });
  await waitForAll(client, IDS.slice(0, 2));
  expect(times.slice(0, 2)).toEqual([0, 60_000]);
});

it("two waits for late transcripts take turns with their requests", async () => {
  const client = clientOf(({ path, query, ...seen }) =>
    path.endsWith("/transcript")
      ? notFound()
      : page(...idsOf({ path, query, ...seen }).map((id) => meeting("completed", id))),
  );
  const waits = IDS.slice(0, 2).map((id) =>
    rejection(client.notetaker.meetings.waitForTranscript(id, { timeoutMs: 11_000 })),
  );
  await vi.runAllTimersAsync();
  await Promise.all(waits);
  const transcripts = client.seen
    .filter(({ path }) => path.endsWith("/transcript"))
    .map(({ path }) => path.split("/")[2]);
  // Both transcripts are requested when the meetings are completed, then one per poll.
  expect(transcripts).toEqual(["mtg_1", "mtg_2", "mtg_1", "mtg_2"]);
});

it("two waits for failed meetings with transcripts both return their transcript", async () => {
  const client = clientOf((seen) =>
    seen.path === "/meetings"
      ? page(...idsOf(seen).map((id) => meeting("failed", id)))
      : json({ ...TRANSCRIPT, meeting_id: seen.path.split("/")[2] }),
  );
  const { value, at } = await waitForAll(client, IDS.slice(0, 2));
  expect([value?.map(({ meeting_id }) => meeting_id), at]).toEqual([["mtg_1", "mtg_2"], 0]);
});

it.each([
  ["has ended", true],
  ["learns from the list that its meeting is not finished", false],
])("a wait that %s leaves its turn to another wait", async (_, isAborted) => {
  const controller = new AbortController();
  const client = clientOf(({ path }) => {
    if (path.endsWith("/transcript"))
      return Date.now() < 5_000 ? notFound() : json({ ...TRANSCRIPT, meeting_id: "mtg_1" });
    return Date.now() < 5_000 || isAborted ? page() : page(meeting("processing", "mtg_2"));
  });
  const { meetings } = client.notetaker;
  const patient = meetings.waitForTranscript("mtg_1");
  const other = rejection(meetings.waitForTranscript("mtg_2", { signal: controller.signal, timeoutMs: 60_000 }));
  await vi.advanceTimersByTimeAsync(1_000);
  if (isAborted) controller.abort("mine");
  const { at } = await inTime(patient);
  await other;
  expect(at).toBeLessThanOrEqual(10_000);
});

it("sixty waits request at most 25 meetings in one request", async () => {
  const ids = Array.from({ length: 60 }, (_, index) => `mtg_${index}`);
  const service = account(() => "completed");
  await inTime(Promise.all(ids.map((id) => service.notetaker.meetings.waitForCompletion(id))));
  expect(service.seen.map((seen) => idsOf(seen).length)).toEqual([25, 25, 10]);
});

it("a page with fewer meetings than requested is followed by a request for the next page", async () => {
  const client = clientOf(({ query }) => {
    const cursor = query.find(([name]) => name === "cursor")?.[1];
    if (cursor === undefined) return json({ data: [meeting("completed", "mtg_1")], next_cursor: "c1", has_more: true });
    return page(meeting("completed", "mtg_2"));
  });
  const waits = ["mtg_1", "mtg_2"].map((id) => client.notetaker.meetings.waitForCompletion(id));
  expect((await inTime(Promise.all(waits))).at).toBe(0);
  expect(client.seen).toHaveLength(2);
});

it("a wait that is aborted, one that fails and one that times out do not affect the others", async () => {
  const service = account((id, second) => (id === "mtg_2" ? "failed" : second < 30 ? "processing" : "completed"));
  const controller = new AbortController();
  const reason = new Error("not needed any more");
  const { meetings } = service.notetaker;
  const waits = [
    meetings.waitForTranscript("mtg_1", { signal: controller.signal }),
    meetings.waitForTranscript("mtg_2"),
    meetings.waitForTranscript("mtg_3", { timeoutMs: 12_000 }),
    meetings.waitForTranscript("mtg_4"),
  ];
  const settled = Promise.allSettled(waits);
  setTimeout(() => controller.abort(reason), 7_000);
  await vi.runAllTimersAsync();
  expect(await settled).toEqual([
    { status: "rejected", reason },
    { status: "rejected", reason: expect.objectContaining({ name: "MeetingFailedError", meetingId: "mtg_2" }) },
    { status: "rejected", reason: expect.objectContaining({ name: "WaitTimeoutError", meetingId: "mtg_3" }) },
    { status: "fulfilled", value: { ...TRANSCRIPT, meeting_id: "mtg_4" } },
  ]);
});

it("an abort during the shared request ends the request only if no other wait is left", async () => {
  const answers: ((response: Response) => void)[] = [];
  const client = clientOf(() => new Promise((resolve) => answers.push(resolve)));
  const [first, second] = [new AbortController(), new AbortController()];
  const waits = [first, second].map(({ signal }, index) =>
    rejection(client.notetaker.meetings.waitForCompletion(`mtg_${index}`, { signal })),
  );
  await vi.advanceTimersByTimeAsync(10);
  first.abort(new Error("first"));
  await vi.advanceTimersByTimeAsync(10);
  expect(client.seen).toHaveLength(1);
  expect(client.seen[0]?.request.signal.aborted).toBe(false);
  second.abort(new Error("second"));
  await vi.advanceTimersByTimeAsync(10);
  expect(client.seen[0]?.request.signal.aborted).toBe(true);
  expect((await Promise.all(waits)).map((error) => (error as Error).message)).toEqual(["first", "second"]);
  expect(vi.getTimerCount()).toBe(0);
});

it("a 429 with Retry-After delays all waits, and none rejects before its own timeout", async () => {
  let isLimited = true;
  const client = clientOf((seen) => {
    if (isLimited) return refusal(429, "rate_limited", { "retry-after": "90" });
    return page(...idsOf(seen).map((id) => meeting("completed", id)));
  });
  const { meetings } = client.notetaker;
  setTimeout(() => {
    isLimited = false;
  }, 80_000);
  const hurried = rejection(meetings.waitForCompletion("mtg_1", { timeoutMs: 60_000 }));
  const patient = meetings.waitForCompletion("mtg_2");
  setTimeout(() => void meetings.waitForCompletion("mtg_3").catch(() => {}), 30_000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await hurried).toBeInstanceOf(WaitTimeoutError);
  expect(await hurried).toMatchObject({ waitedMs: 60_000, cause: { name: "RateLimitedError" } });
  expect(client.seen).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(30_000);
  expect((await patient).id).toBe("mtg_2");
  expect(client.seen.map(idsOf)).toEqual([
    ["mtg_1", "mtg_2"],
    ["mtg_2", "mtg_3"],
  ]);
});

it("each wait calls its own onPoll, and waits with other headers send their own polls", async () => {
  const service = account((_, second) => (second < 8 ? "processing" : "completed"));
  const reports: [string, PollReport][] = [];
  const wait = (id: string, trace: string) =>
    service.notetaker.meetings.waitForCompletion(id, {
      headers: { "x-trace": trace },
      onPoll: (report) => void reports.push([id, report]),
    });
  await inTime(Promise.all([wait("mtg_1", "a"), wait("mtg_2", "b"), wait("mtg_3", "a")]));
  expect(service.seen.map((seen) => [seen.headers["x-trace"], idsOf(seen)])).toEqual([
    ["a", ["mtg_1", "mtg_3"]],
    ["b", ["mtg_2"]],
    ["a", ["mtg_1", "mtg_3"]],
    ["b", ["mtg_2"]],
    ["a", ["mtg_1", "mtg_3"]],
    ["b", ["mtg_2"]],
  ]);
  expect(reports.map(([id, { poll, status }]) => [id, poll, status])).toEqual([
    ["mtg_1", 1, "processing"],
    ["mtg_3", 1, "processing"],
    ["mtg_2", 1, "processing"],
    ["mtg_1", 2, "processing"],
    ["mtg_3", 2, "processing"],
    ["mtg_2", 2, "processing"],
  ]);
});

it("the shared poll runs in no wait's async context, and each wait continues in its own", async () => {
  const store = new AsyncLocalStorage<string>();
  const listContexts: (string | undefined)[] = [];
  const transcriptContexts: Record<string, string | undefined> = {};
  const service = account((_, second) => (second < 8 ? "processing" : "completed"), {
    middleware: [
      (request: Request, next: (request: Request) => Promise<Response>) => {
        const { pathname } = new URL(request.url);
        const context = store.getStore();
        if (pathname.endsWith("/transcript")) transcriptContexts[pathname.split("/")[3] ?? ""] = context;
        else listContexts.push(context);
        return next(request);
      },
    ],
  });
  const polled: [string, string | undefined][] = [];
  const wait = (id: string) =>
    store.run(`user of ${id}`, async () => {
      const onPoll = () => void polled.push([id, store.getStore()]);
      await service.notetaker.meetings.waitForTranscript(id, { onPoll });
      return store.getStore();
    });
  const { value } = await inTime(Promise.all([wait("mtg_1"), wait("mtg_2")]));
  expect(value).toEqual(["user of mtg_1", "user of mtg_2"]);
  expect(listContexts).toEqual([undefined, undefined, undefined]);
  expect(transcriptContexts).toEqual({ mtg_1: "user of mtg_1", mtg_2: "user of mtg_2" });
  expect(polled).toEqual([
    ["mtg_1", "user of mtg_1"],
    ["mtg_2", "user of mtg_2"],
    ["mtg_1", "user of mtg_1"],
    ["mtg_2", "user of mtg_2"],
  ]);
});

it("each wait sends its own polls on Cloudflare Workers, where a request belongs to one event", async () => {
  vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
  try {
    const service = account(() => "completed");
    await inTime(Promise.all(["mtg_1", "mtg_2"].map((id) => service.notetaker.meetings.waitForCompletion(id))));
    expect(service.seen.map(idsOf)).toEqual([["mtg_1"], ["mtg_2"]]);
  } finally {
    vi.unstubAllGlobals();
  }
});

it("waits with the same headers in different forms share their polls", async () => {
  const service = account(() => "completed");
  const forms = [{ "X-Trace": "1" }, new Headers({ "x-trace": "1" }), [["x-trace", "1"]] as [string, string][]];
  const waits = forms.map((headers, index) =>
    service.notetaker.meetings.waitForCompletion(`mtg_${index}`, { headers }),
  );
  await inTime(Promise.all(waits));
  expect(service.seen.map(({ headers }) => headers["x-trace"])).toEqual(["1"]);
});

it("the token function is called in the async context of each wait, and no request has the token of another wait", async () => {
  const store = new AsyncLocalStorage<string>();
  const token = () => `token-of-${store.getStore()}`;
  const service = account((_, second) => (second < 8 ? "processing" : "completed"), { token });
  const wait = (user: string, id: string) => store.run(user, () => service.notetaker.meetings.waitForTranscript(id));
  await inTime(Promise.all([wait("ada", "mtg_1"), wait("bob", "mtg_2"), wait("ada", "mtg_3")]));
  const requests = service.seen.map(({ path, headers, ...seen }) => [
    headers.authorization,
    path === "/meetings" ? idsOf({ path, headers, ...seen }).sort() : path,
  ]);
  const lists = [
    ["Bearer token-of-ada", ["mtg_1", "mtg_3"]],
    ["Bearer token-of-bob", ["mtg_2"]],
  ];
  expect(requests.filter(([, asked]) => Array.isArray(asked))).toEqual([...lists, ...lists, ...lists]);
  expect(requests.filter(([, asked]) => !Array.isArray(asked)).sort()).toEqual([
    ["Bearer token-of-ada", "/meetings/mtg_1/transcript"],
    ["Bearer token-of-ada", "/meetings/mtg_3/transcript"],
    ["Bearer token-of-bob", "/meetings/mtg_2/transcript"],
  ]);
});

it("a token that expires during a wait is replaced, and the wait ends if there is no new token", async () => {
  let current = "old";
  const rejectedTokens: (string | undefined)[] = [];
  const client = clientOf(
    ({ headers }) => {
      const isExpired = headers.authorization === "Bearer old" && Date.now() >= 10_000;
      if (isExpired) return refusal(401, "unauthorized");
      return page(meeting(Date.now() < 20_000 ? "processing" : "completed", "mtg_1"));
    },
    {
      token: ({ rejected }: { rejected?: string | undefined }) => {
        rejectedTokens.push(rejected);
        if (rejected !== undefined) current = "new";
        return current;
      },
    },
  );
  const { value } = await inTime(client.notetaker.meetings.waitForCompletion("mtg_1"));
  expect(value?.id).toBe("mtg_1");
  expect(rejectedTokens.filter((rejected) => rejected !== undefined)).toEqual(["old"]);

  const stale = clientOf(() => refusal(401, "unauthorized"), { token: () => "old" });
  const { error } = await inTime(stale.notetaker.meetings.waitForCompletion("mtg_1"));
  expect(error).toMatchObject({ name: "UnauthorizedError" });
  expect(stale.seen).toHaveLength(1);
});

it("a wait ends after notListedTimeoutMs if a readable list does not contain its meeting", async () => {
  const { notetaker, counts } = account(() => undefined);
  const { error, at } = await inTime(notetaker.meetings.waitForTranscript("mtg_1"));
  expect(error).toBeInstanceOf(WaitTimeoutError);
  expect((error as Error).message).toContain("find the meeting with meetings.list()");
  expect(at).toBe(300_000);
  expect(counts().transcripts).toBe(61);
});

it("notListedTimeoutMs may be shorter than pollMs", async () => {
  const { notetaker } = account(() => undefined);
  const { error, at } = await inTime(notetaker.meetings.waitForCompletion("mtg_1", { notListedTimeoutMs: 700 }));
  expect(error).toMatchObject({ name: "WaitTimeoutError", waitedMs: 700 });
  expect(at).toBe(700);
});

it("notListedTimeoutMs does not apply to a meeting that was listed before, or while the list cannot be read", async () => {
  const vanished = account((_, second) => (second < 8 ? "processing" : undefined));
  const timeoutMs = 400_000;
  const { error } = await inTime(vanished.notetaker.meetings.waitForCompletion("mtg_1", { timeoutMs }));
  expect(error).toMatchObject({ name: "WaitTimeoutError", waitedMs: 400_000 });
  const unreadable = clientOf(({ path }) => (path === "/meetings" ? refusal(403, "forbidden") : notFound()));
  const failed = await inTime(unreadable.notetaker.meetings.waitForTranscript("mtg_1", { timeoutMs }));
  expect(failed.error).toMatchObject({ name: "WaitTimeoutError", waitedMs: 400_000 });
});

const odd = { id: "mtg_odd", status: "completed", duration: 1860.5, title: 5, start_time: null, participants: [null] };

it.each([
  ["an invalid row", () => page(null, 5, { id: 7 }, odd, meeting("completed", "mtg_1"))],
  ["no cursor to its next page", () => json({ data: [odd], next_cursor: null, has_more: true })],
  ["a page that is not a list", () => json({ data: {}, next_cursor: null, has_more: false })],
  ["a body that is not JSON", () => new Response("<html>")],
  ["a 400", () => refusal(400, "bad_request")],
  ["a 500", () => refusal(500, "internal_error")],
])("waitForTranscript continues if the list has %s", async (_, list) => {
  for (const validation of ["strict", "off"] as const) {
    const client = clientOf(
      ({ path }) => (path === "/meetings" ? list() : Date.now() % 60_000 < 10_000 ? notFound() : json(TRANSCRIPT)),
      { validation },
    );
    vi.setSystemTime(0);
    const { value } = await inTime(client.notetaker.meetings.waitForTranscript("mtg_1"));
    expect(value).toEqual(TRANSCRIPT);
  }
});

it("waitForCompletion continues if the list has invalid rows, and reads the valid fields of its own row", async () => {
  const { notetaker } = clientOf(() => page(null, odd, { id: "mtg_1", status: 5 }));
  expect((await inTime(notetaker.meetings.waitForCompletion("mtg_odd"))).value).toEqual(odd);
  const { error } = await inTime(notetaker.meetings.waitForCompletion("mtg_1", { timeoutMs: 9_000 }));
  expect(error).toBeInstanceOf(WaitTimeoutError);
});

it("waitForDocuments resolves to the documents of a meeting of the emulator", async () => {
  const emulator = createEmulator();
  const { baseUrl, token, fetch } = emulator;
  const notetaker = new Notetaker({ baseUrl, token, fetch });
  const { id } = await notetaker.meetings.upload(new Uint8Array(1_000), { contentType: "audio/wav" });
  const statuses: unknown[] = [];
  const onPoll = ({ status }: PollReport) => {
    statuses.push(status);
    emulator.clock.advance(12_000);
  };
  const both = Promise.all([
    notetaker.meetings.waitForDocuments(id, { onPoll }),
    notetaker.meetings.waitForCompletion(id),
  ]);
  const { value } = await inTime(both);
  expect(statuses).toEqual(["processing", "processing", "completed"]);
  expect(value?.[0].map((document) => document.title)).toEqual([
    expect.stringContaining("summary"),
    expect.stringContaining("action items"),
  ]);
  expect(await notetaker.documents.get(value?.[0][0]?.id ?? "")).toMatchObject({ id: value?.[0][0]?.id });
});

it.each([
  ["missing", undefined],
  ["an empty list", []],
  ["an object", {}],
  ["invalid rows", [null, 5, { title: "no id" }]],
])("waitForDocuments continues while the documents of the meeting are %s", async (_, documents) => {
  const client = clientOf(() =>
    page({ ...meeting("completed", "mtg_1"), documents: Date.now() % 60_000 < 10_000 ? documents : [{ id: "doc_1" }] }),
  );
  const { value } = await inTime(client.notetaker.meetings.waitForDocuments("mtg_1"));
  expect(value).toEqual([{ id: "doc_1" }]);
  expect(client.seen[0]?.query).toEqual([
    ["id", "mtg_1"],
    ["expand", "documents"],
  ]);
});

it("waitForDocuments rejects when the meeting has failed", async () => {
  const client = clientOf(() => page(meeting("failed", "mtg_1")));
  const { error } = await inTime(client.notetaker.meetings.waitForDocuments("mtg_1"));
  expect(error).toMatchObject({ name: "MeetingFailedError", meetingId: "mtg_1" });
});

it("if the service refuses to expand documents, only waitForDocuments fails", async () => {
  const client = clientOf(({ query }) =>
    query.some(([name]) => name === "expand") ? refusal(400, "bad_request") : page(meeting("completed", "mtg_1")),
  );
  const { meetings } = client.notetaker;
  const [documents, completion] = [meetings.waitForDocuments("mtg_1"), meetings.waitForCompletion("mtg_1")];
  const settled = Promise.allSettled([documents, completion]);
  await vi.runAllTimersAsync();
  expect(await settled).toMatchObject([
    { status: "rejected", reason: { name: "BadRequestError" } },
    { status: "fulfilled", value: { id: "mtg_1" } },
  ]);
});
