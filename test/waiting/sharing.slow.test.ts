/** Waits of one client with the same headers and token share their polls. Limits, signals and results stay separate. */
import { AsyncLocalStorage } from "node:async_hooks";
import { type ClientOptions, type Middleware, ServerError, WaitTimeoutError } from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { clientOf, json, refusal, rejection, type Seen } from "../support/recorder.js";
import { inTime, meeting, notFound, page, TRANSCRIPT, useFakeClock } from "./service.js";

useFakeClock();

const IDS = Array.from({ length: 8 }, (_, index) => `mtg_${index + 1}`);
const idsOf = ({ query }: Seen) => query.filter(([name]) => name === "id").map(([, value]) => value);
const seconds = () => Date.now() / 1_000;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const isTranscript = ({ path }: Seen) => path.endsWith("/transcript");
const transcriptOf = (id: string) => json({ ...TRANSCRIPT, meeting_id: id });

type State = "none" | (string & {});
interface Account {
  /** The status of a meeting in the list; `none` if the list does not show it. */
  status?: (id: string, second: number) => State;
  /** Whether the service has the transcript of a meeting. Default: when the meeting is completed. */
  hasTranscript?: (id: string, second: number) => boolean;
  options?: ClientOptions;
}

/** A client of a service with these meetings, and its requests by time. */
function account({ status = () => "processing", hasTranscript, options = {} }: Account = {}) {
  const has = hasTranscript ?? ((id, second) => status(id, second) === "completed");
  /** The requests of each moment, as texts: `list 1 2` with the ids, or `transcript 1`. */
  const polls: Record<number, string[]> = {};
  const client = clientOf((seen) => {
    const short = (ids: string[]) => ids.map((id) => id.slice(4)).join(" ");
    const transcriptId = seen.path.split("/")[2] ?? "";
    polls[seconds()] ??= [];
    polls[seconds()]?.push(isTranscript(seen) ? `transcript ${short([transcriptId])}` : `list ${short(idsOf(seen))}`);
    if (isTranscript(seen)) return has(transcriptId, seconds()) ? transcriptOf(transcriptId) : notFound();
    const listed = idsOf(seen).filter((id) => status(id, seconds()) !== "none");
    return page(...listed.map((id) => meeting(status(id, seconds()), id)));
  }, options);
  return { ...client, meetings: client.notetaker.meetings, polls };
}

const requestedTranscripts = ({ polls }: Pick<ReturnType<typeof account>, "polls">) =>
  Object.values(polls)
    .flat()
    .filter((request) => request.startsWith("transcript"))
    .map((request) => request.slice("transcript ".length));

describe("a poll of many waits", () => {
  it.each<[what: string, account: Account, second: number]>([
    ["are processed for a minute", { status: (_, second) => (second < 60 ? "processing" : "completed") }, 60],
    ["are not listed for a minute", { status: (_, second) => (second < 60 ? "none" : "completed") }, 60],
    // In turn, one each five seconds: the first seven find nothing.
    ["have an unknown status", { status: () => "diarizing", hasTranscript: (_, second) => second > 30 }, 70],
    ["have transcripts before they are completed", { hasTranscript: (_, second) => second > 30 }, 70],
    ["have failed, and have transcripts", { status: () => "failed", hasTranscript: () => true }, 0],
  ])(
    "has one request of the list and one of a transcript, and one for each news, if the meetings %s",
    async (...row) => {
      const [, service, second] = row;
      const eight = account(service);
      const { value, at } = await inTime(Promise.all(IDS.map((id) => eight.meetings.waitForTranscript(id))));
      expect(value?.map(({ meeting_id }) => meeting_id)).toEqual(IDS);
      expect(at).toBe(second * 1_000);
      for (const [time, [list, ...transcripts]] of Object.entries(eight.polls)) {
        expect(list).toMatch(/^list/);
        if (service.status?.("mtg_1", Number(time)) !== "completed" && second > 0) expect(transcripts).toHaveLength(1);
      }
      // One poll each five seconds.
      expect(Object.keys(eight.polls)).toHaveLength(at / 5_000 + 1);
    },
  );

  it("requests a transcript without a readable list, too", async () => {
    const client = clientOf((seen) => {
      if (!isTranscript(seen)) return refusal(404, "not_found");
      return seconds() < 60 ? notFound() : transcriptOf(seen.path.split("/")[2] ?? "");
    });
    const { meetings } = client.notetaker;
    const { value } = await inTime(Promise.all(IDS.map((id) => meetings.waitForTranscript(id))));
    expect(value?.map(({ meeting_id }) => meeting_id)).toEqual(IDS);
    const first = client.seen.filter(isTranscript).slice(0, IDS.length);
    expect(first.map(({ path }) => path)).toEqual(IDS.map((id) => `/meetings/${id}/transcript`));
  });

  it("serves all waits at the shortest pollMs", async () => {
    const { meetings, polls } = account({ status: (_, second) => (second < 12 ? "processing" : "completed") });
    await inTime(
      Promise.all([5_000, 60_000].map((pollMs, index) => meetings.waitForCompletion(`mtg_${index}`, { pollMs }))),
    );
    expect(polls).toEqual(Object.fromEntries([0, 5, 10, 15].map((second) => [second, ["list 0 1"]])));
  });

  it("serves waits that begin one after the other, at most a second after they begin", async () => {
    const { meetings, polls } = account({ status: (_, second) => (second < 30 ? "processing" : "completed") });
    const first: number[] = [];
    const waits = IDS.map(async (id, index) => {
      await sleep(index * 37);
      return meetings.waitForCompletion(id, {
        onPoll: ({ poll, waitedMs }) => void (poll === 1 && first.push(waitedMs)),
      });
    });
    await inTime(Promise.all(waits));
    expect(Object.keys(polls).map(Number)).toEqual([0, 1, 6, 11, 16, 21, 26, 31]);
    expect(Math.max(...first)).toBeLessThanOrEqual(1_000);
  });

  it("asks for up to 100 meetings in one request", async () => {
    const ids = Array.from({ length: 160 }, (_, index) => `mtg_${index}`);
    const client = account({ status: () => "completed" });
    await inTime(Promise.all(ids.map((id) => client.meetings.waitForCompletion(id))));
    const limits = client.seen.map(({ query }) => Object.fromEntries(query).limit);
    expect(client.seen.map((seen) => idsOf(seen).length)).toEqual([100, 60]);
    expect(limits).toEqual(["100", "60"]);
    const few = account({ status: () => "completed" });
    await inTime(Promise.all(ids.slice(0, 25).map((id) => few.meetings.waitForCompletion(id))));
    expect(few.seen.map(({ query }) => Object.fromEntries(query).limit)).toEqual([undefined]);
  });

  describe("if the list has further pages", () => {
    const cursorOf = ({ query }: Seen) => Number(Object.fromEntries(query).cursor ?? 0);
    /** A list whose pages have these meetings. After them come pages of other meetings, without end. */
    const paged = (...pages: string[][]) =>
      clientOf((seen) => {
        const data = (pages[cursorOf(seen)] ?? ["mtg_other"]).map((id) => meeting("completed", id));
        return json({ data, next_cursor: String(cursorOf(seen) + 1), has_more: true });
      });

    it.each<[string, number, string[][]]>([
      ["reads the second if the first has only some of the meetings", 2, [["mtg_1"], ["mtg_2"]]],
      ["reads no further page if the first has all", 1, [["mtg_1", "mtg_2"]]],
      ["searches them if the list ignores the ids", 3, [["mtg_1", "mtg_other"], [], ["mtg_other", "mtg_2"]]],
    ])("%s", async (_, requests, pages) => {
      const { notetaker, seen } = paged(...pages);
      const { value } = await inTime(
        Promise.all(["mtg_1", "mtg_2"].map((id) => notetaker.meetings.waitForCompletion(id))),
      );
      expect(value?.map(({ id }) => id)).toEqual(["mtg_1", "mtg_2"]);
      expect(seen).toHaveLength(requests);
    });

    it("searches twenty further pages, and then names the ignored filter", async () => {
      const { notetaker, seen } = paged(["mtg_1"]);
      const [found, ...others] = await Promise.allSettled([
        ...["mtg_1", "mtg_2"].map((id) => notetaker.meetings.waitForCompletion(id)),
        rejection(notetaker.meetings.waitForTranscript("mtg_3", { timeoutMs: 1 })),
      ]);
      expect(found?.status).toBe("fulfilled");
      expect(others[0]).toMatchObject({
        reason: { name: "PaginationError", message: expect.stringMatching(/filter id .*mtg_2.*doctor/) },
      });
      expect(seen.filter((one) => !isTranscript(one))).toHaveLength(22);
    });

    it("does not search them for a transcript, which is requested whatever the list says", async () => {
      const others = { data: [meeting("completed", "mtg_other")], next_cursor: "1", has_more: true };
      const { notetaker, seen } = clientOf((one) => (isTranscript(one) ? notFound() : json(others)));
      const options = { timeoutMs: 4_000, notListedTimeoutMs: 2_000 };
      const { at } = await inTime(rejection(notetaker.meetings.waitForTranscript("mtg_1", options)));
      // The other pages may have the meeting.
      expect(at).toBe(4_000);
      expect(seen.map(cursorOf)).toEqual([0, 0]);
    });
  });

  it.each(["waitForCompletion", "waitForDocuments"] as const)("gives each wait its own result: %s", async (wait) => {
    const documents = [{ id: "doc_1" }];
    const { meetings } = clientOf(() => page({ ...meeting("completed", "mtg_1"), documents })).notetaker;
    const both = Promise.all([meetings[wait]("mtg_1"), meetings[wait]("mtg_1")] as Promise<unknown>[]);
    const [one, other] = (await inTime(both)).value as [Record<string, unknown>, Record<string, unknown>];
    expect(one).toEqual(other);
    expect(one).not.toBe(other);
    if (wait === "waitForDocuments") expect(one[0]).not.toBe(other[0]);
  });
});

describe("the turns of the transcripts", () => {
  const eventsAt = (id: string, ...times: number[]) =>
    (async function* () {
      for (const time of times) {
        await sleep(time - Date.now());
        yield { kind: "meeting.transcript_ready", meetingId: id, payload: {} };
      }
      await new Promise(() => {});
    })();

  it("come to each completed, failed or woken wait at once, and to one of the others", async () => {
    const status = (id: string) => ({ mtg_5: "failed", mtg_7: "completed" })[id] ?? "processing";
    const service = account({ status, hasTranscript: () => false });
    const waits = IDS.map((id) => {
      const wake = ["mtg_2", "mtg_8"].includes(id) ? { wake: eventsAt(id, 10_000) } : {};
      return rejection(service.meetings.waitForTranscript(id, { pollMs: 60_000, timeoutMs: 13_500, ...wake }));
    });
    await inTime(Promise.all(waits));
    const at = (second: number) => service.polls[second]?.slice(1).sort() ?? [];
    expect(at(0)).toEqual(["transcript 1", "transcript 5", "transcript 7"]);
    // An event each, within a second.
    expect([...at(10), ...at(11)]).toEqual(expect.arrayContaining(["transcript 2", "transcript 8"]));
  });

  it("come to all waits, even if a completed meeting stays without a transcript and another is woken all the time", async () => {
    const service = account({
      status: (id) => (id === "mtg_1" ? "completed" : "processing"),
      hasTranscript: () => false,
    });
    const everySecond = Array.from({ length: 60 }, (_, index) => index * 1_000 + 500);
    const waits = IDS.map((id) => {
      const wake = id === "mtg_2" ? { wake: eventsAt(id, ...everySecond) } : {};
      return rejection(service.meetings.waitForTranscript(id, { timeoutMs: 40_000, ...wake }));
    });
    await inTime(Promise.all(waits));
    const requested = requestedTranscripts(service);
    for (const id of IDS) expect(requested.filter((other) => `mtg_${other}` === id).length, id).toBeGreaterThan(3);
  });

  it("are left to others by a wait that has ended", async () => {
    const service = account({ hasTranscript: (_, second) => second >= 5 });
    const controller = new AbortController();
    const aborted = rejection(service.meetings.waitForTranscript("mtg_1", { signal: controller.signal }));
    const patient = service.meetings.waitForTranscript("mtg_2");
    await vi.advanceTimersByTimeAsync(1_000);
    controller.abort("mine");
    expect((await inTime(patient)).at).toBe(5_000);
    expect(await aborted).toBe("mine");
  });
});

describe("waits that share polls stay separate", () => {
  it("a wait that is aborted, one that fails and one that times out do not affect the others", async () => {
    const { meetings } = account({
      status: (id, second) => (id === "mtg_2" ? "failed" : second < 30 ? "processing" : "completed"),
    });
    const controller = new AbortController();
    const reason = new Error("not needed any more");
    const settled = Promise.allSettled([
      meetings.waitForTranscript("mtg_1", { signal: controller.signal }),
      meetings.waitForTranscript("mtg_2"),
      meetings.waitForTranscript("mtg_3", { timeoutMs: 12_000 }),
      meetings.waitForTranscript("mtg_4"),
    ]);
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
    const client = clientOf(() => new Promise(() => {}));
    const [first, second] = [new AbortController(), new AbortController()];
    const waits = [first, second].map(({ signal }, index) =>
      rejection(client.notetaker.meetings.waitForCompletion(`mtg_${index}`, { signal })),
    );
    await vi.advanceTimersByTimeAsync(10);
    first.abort("first");
    await vi.advanceTimersByTimeAsync(10);
    expect(client.seen).toHaveLength(1);
    expect(client.seen[0]?.request.signal.aborted).toBe(false);
    second.abort("second");
    await vi.advanceTimersByTimeAsync(10);
    expect(client.seen[0]?.request.signal.aborted).toBe(true);
    expect(await Promise.all(waits)).toEqual(["first", "second"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("a wait that begins during a request sends its own request", async () => {
    const client = clientOf(async (seen) => {
      await sleep(3_000);
      return page(...idsOf(seen).map((id) => meeting("completed", id)));
    });
    const first = client.notetaker.meetings.waitForCompletion("mtg_1");
    await vi.advanceTimersByTimeAsync(500);
    const second = client.notetaker.meetings.waitForCompletion("mtg_2");
    const { value } = await inTime(Promise.all([first, second]));
    expect(value?.map(({ id }) => id)).toEqual(["mtg_1", "mtg_2"]);
    expect(client.seen.map(idsOf)).toEqual([["mtg_1"], ["mtg_2"]]);
  });

  it("waits do not stand still under fake timers that leave performance.now as it is", async () => {
    vi.useRealTimers();
    vi.useFakeTimers({ now: 0, toFake: ["setTimeout", "clearTimeout", "Date"] });
    const { meetings, polls } = account({ status: (_, second) => (second < 30 ? "processing" : "completed") });
    const waits = IDS.map(async (id, index) => {
      await sleep(index * 37);
      return meetings.waitForTranscript(id, { notListedTimeoutMs: 5_000 });
    });
    waits.push(meetings.waitForTranscript("mtg_9", { timeoutMs: 25_000 }));
    const settled = Promise.allSettled(waits);
    await vi.advanceTimersByTimeAsync(90_000);
    expect((await settled).map(({ status }) => status)).toEqual([...IDS.map(() => "fulfilled"), "rejected"]);
    expect(
      Object.keys(polls)
        .map((second) => Math.round(Number(second)))
        .slice(0, 5),
    ).toEqual([0, 1, 6, 11, 16]);
  });

  it("each wait calls its own onPoll, and waits with headers send their own polls", async () => {
    const service = account({ status: (_, second) => (second < 8 ? "processing" : "completed") });
    const reports: string[] = [];
    const wait = (id: string, headers?: Record<string, string>) =>
      service.meetings.waitForCompletion(id, { headers, onPoll: ({ poll }) => void reports.push(`${id} ${poll}`) });
    await inTime(Promise.all([wait("mtg_1"), wait("mtg_2", { "x-trace": "b" }), wait("mtg_3")]));
    const sent = service.seen.map((seen) => [seen.headers["x-trace"], ...idsOf(seen)].join(" ").trim());
    expect(sent.sort()).toEqual([...Array(3).fill("b mtg_2"), ...Array(3).fill("mtg_1 mtg_3")]);
    expect(reports.sort()).toEqual(["mtg_1 1", "mtg_1 2", "mtg_2 1", "mtg_2 2", "mtg_3 1", "mtg_3 2"]);
  });

  it("each wait sends its own polls on Cloudflare Workers, where a request belongs to one event", async () => {
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
    const { meetings, seen } = account({ status: () => "completed" });
    await inTime(Promise.all(["mtg_1", "mtg_2"].map((id) => meetings.waitForCompletion(id))));
    expect(seen.map(idsOf)).toEqual([["mtg_1"], ["mtg_2"]]);
  });

  it("a wait that test code leaves pending under fake timers delays no other wait of the client", async () => {
    for (const options of [{}, { token: () => "tok_1" }, { token: async () => "tok_1" }]) {
      const { meetings, seen } = account({ status: (id) => (id === "mtg_1" ? "processing" : "completed"), options });
      void meetings.waitForCompletion("mtg_1");
      await vi.advanceTimersByTimeAsync(600_000);
      const before = seen.length;
      vi.useRealTimers();
      vi.useFakeTimers({ now: 0 });
      const next = meetings.waitForCompletion("mtg_2");
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await next).toMatchObject({ id: "mtg_2" });
      expect(seen.length).toBeGreaterThan(before);
    }
  });
});

describe("a 429", () => {
  const limited = (retryAfter: number) => refusal(429, "rate_limited", { "retry-after": String(retryAfter) });

  it("with Retry-After delays all waits of the token, and none rejects before its own timeout", async () => {
    let isLimited = true;
    const client = clientOf((seen) =>
      isLimited ? limited(90) : page(...idsOf(seen).map((id) => meeting("completed", id))),
    );
    const { meetings } = client.notetaker;
    const hurried = rejection(meetings.waitForCompletion("mtg_1", { timeoutMs: 60_000 }));
    const patient = meetings.waitForCompletion("mtg_2");
    await vi.advanceTimersByTimeAsync(30_000);
    const late = meetings.waitForCompletion("mtg_3");
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await hurried).toBeInstanceOf(WaitTimeoutError);
    expect(await hurried).toMatchObject({ waitedMs: 60_000, cause: { name: "RateLimitedError" } });
    expect(client.seen).toHaveLength(1);
    isLimited = false;
    await vi.advanceTimersByTimeAsync(30_000);
    expect((await Promise.all([patient, late])).map(({ id }) => id)).toEqual(["mtg_2", "mtg_3"]);
    expect(client.seen.map(idsOf)).toEqual([
      ["mtg_1", "mtg_2"],
      ["mtg_2", "mtg_3"],
    ]);
  });

  it("of the list or of a transcript delays no wait with another token", async () => {
    for (const limitsTranscripts of [false, true]) {
      vi.setSystemTime(0);
      const store = new AsyncLocalStorage<string>();
      const client = clientOf(
        (seen) => {
          const isLimited = seen.headers.authorization === "Bearer tok_ada" && isTranscript(seen) === limitsTranscripts;
          if (isLimited) return limited(3_600);
          if (isTranscript(seen)) return seconds() < 20 ? notFound() : transcriptOf("mtg_2");
          return page(...idsOf(seen).map((id) => meeting("processing", id)));
        },
        { token: () => `tok_${store.getStore()}` },
      );
      const wait = (user: string, id: string) =>
        store.run(user, () => client.notetaker.meetings.waitForTranscript(id, { timeoutMs: 60_000 }));
      const ada = rejection(wait("ada", "mtg_1"));
      const bob = wait("bob", "mtg_2");
      await vi.advanceTimersByTimeAsync(20_000);
      expect(await bob).toMatchObject({ meeting_id: "mtg_2" });
      await vi.advanceTimersByTimeAsync(40_000);
      expect(await ada).toMatchObject({ name: "WaitTimeoutError", cause: { name: "RateLimitedError" } });
      const requestsOfAda = client.seen.filter(({ headers }) => headers.authorization === "Bearer tok_ada");
      expect(requestsOfAda).toHaveLength(limitsTranscripts ? 2 : 1);
    }
  });
});

describe("async contexts and tokens", () => {
  it("each wait continues in its own context, and requests its transcript there", async () => {
    const store = new AsyncLocalStorage<string>();
    const contexts: [string, string | undefined][] = [];
    const note: Middleware = (request, next) => {
      contexts.push([new URL(request.url).pathname.slice("/v1/meetings".length), store.getStore()]);
      return next(request);
    };
    const status = (_: string, second: number) => (second < 12 ? "processing" : "completed");
    const service = account({ status, options: { middleware: [note] } });
    const wait = (id: string) =>
      store.run(id, async () => {
        const inside = new Set<unknown>();
        const onPoll = () => void inside.add(store.getStore());
        await service.meetings.waitForTranscript(id, { onPoll });
        return [...inside.add(store.getStore())];
      });
    const { value } = await inTime(Promise.all([wait("mtg_1"), wait("mtg_2")]));
    expect(value).toEqual([["mtg_1"], ["mtg_2"]]);
    const transcripts = contexts.filter(([path]) => path !== "");
    expect(transcripts.length).toBeGreaterThan(2);
    expect(transcripts.map(([, context]) => `/${context}/transcript`)).toEqual(transcripts.map(([path]) => path));
  });

  it("the token function is asked in the context of each wait, and no request has another's token", async () => {
    const store = new AsyncLocalStorage<string>();
    const asked: Record<string, number> = {};
    let calls = 0;
    const token = async () => {
      const user = store.getStore() ?? "";
      asked[user] = (asked[user] ?? 0) + 1;
      calls += 1;
      await sleep((calls % 3) * 40);
      return `tok_${user.split(" ")[0]}`;
    };
    const service = account({
      status: (_id, second) => (second < 18 ? "processing" : "completed"),
      options: { token },
    });
    const wait = (user: string, id: string) => store.run(user, () => service.meetings.waitForTranscript(id));
    await inTime(Promise.all([wait("ada 1", "mtg_1"), wait("bob", "mtg_2"), wait("ada 2", "mtg_3")]));
    for (const seen of service.seen) {
      const ids = isTranscript(seen) ? [seen.path.split("/")[2]] : idsOf(seen);
      const isBobs = seen.headers.authorization === "Bearer tok_bob";
      expect(ids.every((id) => (id === "mtg_2") === isBobs)).toBe(true);
    }
    expect(service.seen.filter((seen) => idsOf(seen).length === 2).length).toBeGreaterThanOrEqual(4);
    // Once for each poll, also for the polls that another wait sends.
    expect(Math.min(...Object.values(asked))).toBeGreaterThanOrEqual(4);
  });

  it("a token that expires during a wait is replaced, and the wait ends if there is no new token", async () => {
    let current = "old";
    const rejectedTokens: (string | undefined)[] = [];
    const client = clientOf(
      ({ headers }) => {
        if (headers.authorization === "Bearer old" && seconds() >= 10) return refusal(401, "unauthorized");
        return page(meeting(seconds() < 20 ? "processing" : "completed", "mtg_1"));
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

  it("a token function that fails for a moment is asked again at the next poll, also if another wait has polled", async () => {
    const store = new AsyncLocalStorage<string>();
    const asked: number[] = [];
    const token = async () => {
      if (store.getStore() === "mtg_2") {
        asked.push(seconds());
        // While this call waits, the other wait sends a poll for both.
        if (seconds() === 5) await sleep(100);
        if (seconds() > 0 && asked.length < 9) throw new ServerError({ status: 503 });
      }
      return "tok_1";
    };
    const service = account({ status: (_, second) => (second < 60 ? "processing" : "completed"), options: { token } });
    const wait = (id: string) => store.run(id, () => service.meetings.waitForCompletion(id));
    const { value } = await inTime(Promise.all([wait("mtg_1"), wait("mtg_2")]));
    expect(value).toHaveLength(2);
    expect(asked.slice(0, 4)).toEqual([0, 5, 10, 15]);
  });

  it("a wait that is aborted while its token function runs sends nothing, and does not end other waits", async () => {
    const service = account({ status: () => "completed", options: { token: () => sleep(10).then(() => "tok_1") } });
    const controller = new AbortController();
    const aborted = rejection(service.meetings.waitForCompletion("mtg_1", { signal: controller.signal }));
    const next = service.meetings.waitForCompletion("mtg_2");
    await vi.advanceTimersByTimeAsync(5);
    controller.abort("mine");
    expect(await aborted).toBe("mine");
    expect((await inTime(next)).value?.id).toBe("mtg_2");
    expect(service.seen.map(idsOf)).toEqual([["mtg_2"]]);
  });
});
