/** What one poll learns about several meetings from the pages of the meeting list. */
import { BadRequestError, ForbiddenError, type NotetakerError, ServerError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { type ListMeetingPages, lookUpMeetings, type RowPage } from "../../src/waiting/poll/meeting-lookup.js";

const row = (id: string) => ({ id, status: "processing" });
const ask = (meetingId: string, documents = false) => ({ meetingId, documents });
const request = { signal: new AbortController().signal, token: undefined };

type Pages = (unknown[] | Error)[];

/** A list that answers the n-th request with these pages. If `more` is set, the last page says that there are more. */
function listOf(answers: Pages[], more = false) {
  const requests: Parameters<ListMeetingPages>[0][] = [];
  const read: unknown[][] = [];
  const listPages: ListMeetingPages = async function* (params) {
    const pages = answers[requests.length] ?? [];
    requests.push(params);
    for (const [index, data] of pages.entries()) {
      if (data instanceof Error) throw data;
      read.push(data);
      const page: RowPage = { data, next_cursor: null, hasNextPage: () => more || index + 1 < pages.length };
      yield page;
    }
  };
  return { listPages, requests, read };
}

async function answersOf(list: ReturnType<typeof listOf>, ...questions: ReturnType<typeof ask>[]) {
  const answer = await lookUpMeetings(list.listPages, questions, request);
  return questions.map((question) => answer(question));
}

describe("a meeting in a poll", () => {
  it("counts as listed if a page contains it, and as not listed if the list ends without it", async () => {
    const list = listOf([[[row("a")]]]);
    expect(await answersOf(list, ask("a"), ask("b"))).toEqual([
      { meeting: row("a"), isListed: true },
      { isListed: false },
    ]);
    expect(list.requests).toEqual([{ ids: ["a", "b"] }]);
  });

  it("is looked for on the next page if the pages so far contain only requested meetings", async () => {
    const list = listOf([[[row("a")], [null, 5, { id: 7 }], [row("b")], ["not read"]]]);
    expect(await answersOf(list, ask("a"), ask("b"))).toEqual([
      { meeting: row("a"), isListed: true },
      { meeting: row("b"), isListed: true },
    ]);
    expect(list.read).toHaveLength(3);
  });

  it("is not looked for on further pages if the list ignores the ids, and then nothing is known about it", async () => {
    const list = listOf([[[row("stranger"), row("a")], [row("b")]]]);
    expect(await answersOf(list, ask("a"), ask("b"))).toEqual([
      { meeting: row("a"), isListed: true },
      { isListed: undefined },
    ]);
    expect(list.read).toHaveLength(1);
  });

  it("is requested once for all waits that need it", async () => {
    const list = listOf([[[row("a")]]]);
    expect(await answersOf(list, ask("a"), ask("a"))).toHaveLength(2);
    expect(list.requests).toEqual([{ ids: ["a"] }]);
  });

  it.each([
    [25, [25]],
    [26, [25, 1]],
    [50, [25, 25]],
  ])("is requested together with at most 24 others: %i meetings need requests of %j", async (count, sizes) => {
    const list = listOf([]);
    await answersOf(list, ...Array.from({ length: count }, (_, index) => ask(`mtg_${index}`)));
    expect(list.requests.map(({ ids }) => ids.length)).toEqual(sizes);
    expect(new Set(list.requests.flatMap(({ ids }) => ids)).size).toBe(count);
  });

  it("is unknown if it was not requested", async () => {
    const answer = await lookUpMeetings(listOf([[[row("a")]]]).listPages, [ask("a")], request);
    expect(answer(ask("b"))).toEqual({ isListed: undefined });
  });
});

describe("a meeting list that fails", () => {
  const down = new ServerError({ status: 500 });

  it("answers for the meetings of the pages before the failure", async () => {
    const list = listOf([[[row("a")], down]]);
    expect(await answersOf(list, ask("a"), ask("b"))).toEqual([
      { meeting: row("a"), isListed: true },
      { isListed: undefined, error: down },
    ]);
  });

  it("ends the poll if its error is not an error of the library", async () => {
    const mine = new Error("mine");
    await expect(answersOf(listOf([[mine]]), ask("a"))).rejects.toBe(mine);
  });
});

describe("the documents in a poll", () => {
  const expanded = { ids: ["a", "b"], expand: ["documents"] };

  it("are expanded if at least one wait needs them", async () => {
    const list = listOf([[[row("a"), row("b")]]]);
    expect(await answersOf(list, ask("a"), ask("b", true))).toEqual([
      { meeting: row("a"), isListed: true },
      { meeting: row("b"), isListed: true },
    ]);
    expect(list.requests).toEqual([expanded]);
  });

  it.each<[number, NotetakerError]>([
    [400, new BadRequestError({ status: 400 })],
    [422, new BadRequestError({ status: 422 })],
  ])(
    "cause an error only for the waits that need them if the service refuses to expand them with a %i",
    async (_, refused) => {
      const list = listOf([[refused], [[row("a"), row("b")]]]);
      expect(await answersOf(list, ask("a"), ask("b", true))).toEqual([
        { meeting: row("a"), isListed: true },
        { isListed: undefined, error: refused },
      ]);
      expect(list.requests).toEqual([expanded, { ids: ["a", "b"] }]);
    },
  );

  it.each<[string, NotetakerError]>([
    ["a 403", new ForbiddenError({ status: 403 })],
    ["a 500", new ServerError({ status: 500 })],
  ])("are not requested again without expand after %s", async (_, error) => {
    const list = listOf([[[row("a")], error]]);
    expect(await answersOf(list, ask("a"), ask("b", true))).toEqual([
      { meeting: row("a"), isListed: true },
      { isListed: undefined, error },
    ]);
    expect(list.requests).toEqual([expanded]);
  });
});
