/** Which waits and watches of a client share their polls. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { MeetingPolls } from "../../src/waiting/poll/meeting-polls.js";
import { useFakeClock } from "./service.js";

useFakeClock();
afterEach(() => void vi.unstubAllGlobals());

/** The polls of a client whose list is empty, and the parameters of each request. */
function pollsOf() {
  const params: object[] = [];
  const polls = new MeetingPolls({
    listPages: async function* (asked, { headers }) {
      params.push({ ...asked, headers });
      yield { data: [], next_cursor: null, hasNextPage: () => false };
    },
    getTranscript: () => Promise.reject(new Error("not used")),
    requestToken: undefined,
  });
  return { polls, params };
}

const question = { meetingId: "mtg_1", documents: false };

describe("waits share their polls", () => {
  it.each<[string, Record<string, string>, HeadersInit]>([
    ["in another case", { "X-A": "1" }, { "x-a": "1" }],
    ["in another order", { a: "1", b: "2" }, { b: "2", a: "1" }],
    ["as a Headers", { "X-A": "1" }, new Headers({ "x-a": "1" })],
    ["as pairs", { "X-A": "1" }, [["x-a", "1"]]],
  ])("if their headers are the same %s", (_, one, other) => {
    const { polls } = pollsOf();
    expect(polls.lookups(one)).toBe(polls.lookups(other as [string, string][]));
  });

  it("if both have no headers, but not if only one of them has headers", () => {
    const { polls } = pollsOf();
    expect(polls.lookups(undefined)).toBe(polls.lookups(undefined));
    const sets = [undefined, {}, { a: "1" }, { a: "2" }, { b: "1" }, { a: "" }, { a: null }, { a: "object" }];
    expect(new Set([...sets, { a: undefined }].map((headers) => polls.lookups(headers))).size).toBe(9);
  });

  it("until the last of them ends", () => {
    const { polls } = pollsOf();
    const shared = polls.lookups(undefined);
    const [first, second] = [shared.meetings.join(question), shared.meetings.join(question)];
    first.leave();
    expect(polls.lookups(undefined)).toBe(shared);
    second.leave();
    const next = polls.lookups(undefined);
    expect(next).not.toBe(shared);
    shared.meetings.join(question).leave();
    expect(polls.lookups(undefined)).toBe(next);
  });

  it("but not in Cloudflare Workers, where a request belongs to one event", () => {
    const { polls } = pollsOf();
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
    expect(polls.lookups(undefined)).not.toBe(polls.lookups(undefined));
    vi.stubGlobal("navigator", { userAgent: "Node.js/22" });
    expect(polls.lookups(undefined)).toBe(polls.lookups(undefined));
    vi.stubGlobal("navigator", undefined);
    expect(polls.lookups(undefined)).toBe(polls.lookups(undefined));
  });
});

it("watches read the list from the earliest date that one of them needs, and do not share it with waits", async () => {
  const { polls, params } = pollsOf();
  const headers = { "x-a": "1" };
  const walks = polls.walks(headers);
  expect(walks).toBe(polls.walks(headers));
  expect(walks).not.toBe(polls.lookups(headers).meetings);
  const members = ["2025-06-05", "2025-06-01", "2025-06-03"].map((startDate) => walks.join({ startDate }));
  await Promise.all(members.map((member) => member.nextPoll({ delayMs: 0, pollMs: 5_000 })));
  expect(params).toEqual([{ start_date: "2025-06-01", limit: 100, cursor: undefined, headers }]);
});
