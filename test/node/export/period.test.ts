/** `since` and `until`. */
import { describe, expect, it } from "vitest";
import { account, meetings, run, type Store } from "./export-support.js";

const HOUR_MS = 3_600_000;
const NEWEST = Date.UTC(2025, 0, 1);

/** Ids of the meetings that are saved; number n began n hours before the newest. */
async function savedNumbers(options: Parameters<typeof run>[2]) {
  const { service } = account(meetings(72));
  const store: Store = new Map();
  await run(service, store, { formats: { transcript: [], documents: [] }, ...options });
  const files = [...store.keys()].filter((path) => path.endsWith("/meeting.json"));
  const numbers = files.map((path) => Number(/mtg_(\d+)/.exec(path)?.[1])).sort((a, b) => a - b);
  const queries = service.requests.map(({ query }) => [query.get("start_date"), query.get("end_date")]);
  return { first: numbers[0], last: numbers.at(-1), count: numbers.length, query: queries[0] };
}

describe("since and until", () => {
  it("since a Date asks for the day before, and leaves out what began earlier", async () => {
    const since = new Date(NEWEST - 30 * HOUR_MS);
    expect(await savedNumbers({ since })).toEqual({ first: 0, last: 30, count: 31, query: ["2024-12-29", null] });
  });

  it("until a Date asks for the day after, and leaves out what began later", async () => {
    const until = new Date(NEWEST - 30 * HOUR_MS);
    expect(await savedNumbers({ until })).toEqual({ first: 30, last: 71, count: 42, query: [null, "2024-12-31"] });
  });

  it("since and until as days are requested as they are, and the last day is included", async () => {
    const result = await savedNumbers({ since: "2024-12-30", until: "2024-12-31" });
    expect(result).toEqual({ first: 1, last: 48, count: 48, query: ["2024-12-30", "2024-12-31"] });
  });

  it.each([
    [{ since: "2025-01-02", until: "2025-01-01" }, "expected 2025-01-02 (since) or later, received 2025-01-01"],
    [
      { since: new Date("2025-01-02T12:00:00Z"), until: new Date("2025-01-02T11:00:00Z") },
      "expected 2025-01-02T12:00:00.000Z (since) or later, received 2025-01-02T11:00:00.000Z",
    ],
    [{ since: new Date("2025-01-02T12:00:00Z"), until: "2025-01-01" }, "(since) or later, received 2025-01-01"],
  ])("refuses an end before the beginning: %j", async (options, message) => {
    const { service } = account([]);
    const promise = run(service, new Map(), options);
    await expect(promise).rejects.toMatchObject({ name: "InvalidArgumentError", issues: [{ path: "until" }] });
    await expect(promise).rejects.toThrow(message);
    expect(service.requests).toEqual([]);
  });

  it("accepts one moment or one day as both", async () => {
    expect((await savedNumbers({ since: "2024-12-31", until: "2024-12-31" })).count).toBe(24);
    const moment = new Date(NEWEST - 30 * HOUR_MS);
    expect((await savedNumbers({ since: moment, until: moment })).count).toBe(1);
  });

  it.each([new Date(8.64e15), new Date(-8.64e15)])("accepts the date %s", async (date) => {
    expect((await savedNumbers(date.getTime() > 0 ? { until: date } : { since: date })).count).toBe(72);
  });
});
