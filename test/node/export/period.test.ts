/** The options `since` and `until`. */
import { describe, expect, it } from "vitest";
import { Period } from "../../../src/sync/read-options.js";
import { account, filesOf, meetings, run } from "../support/account.js";

const HOUR_MS = 3_600_000;
const NEWEST = Date.UTC(2025, 0, 1);

/** The ids of the saved meetings. Meeting number n started n hours before the newest one. */
async function savedNumbers(options: Parameters<typeof run>[2]) {
  const { service } = account(meetings(72));
  const store = await filesOf(service, { formats: { transcript: [], documents: [] }, ...options });
  const files = [...store.keys()].filter((path) => path.endsWith("/meeting.json"));
  const numbers = files.map((path) => Number(/mtg_(\d+)/.exec(path)?.[1])).sort((a, b) => a - b);
  const queries = service.requests.map(({ query }) => [query.get("start_date"), query.get("end_date")]);
  return { first: numbers[0], last: numbers.at(-1), count: numbers.length, query: queries[0] };
}

describe("the period of an export", () => {
  it("with a Date as since requests the day before, too, and leaves out meetings that started earlier", async () => {
    const since = new Date(NEWEST - 30 * HOUR_MS);
    expect(await savedNumbers({ since })).toEqual({ first: 0, last: 30, count: 31, query: ["2024-12-29", null] });
  });

  it("with a Date as until requests the day after, too, and leaves out meetings that started later", async () => {
    const until = new Date(NEWEST - 30 * HOUR_MS);
    expect(await savedNumbers({ until })).toEqual({ first: 30, last: 71, count: 42, query: [null, "2024-12-31"] });
  });

  it("with dates as since and until requests exactly these dates, including the last day", async () => {
    const result = await savedNumbers({ since: "2024-12-30", until: "2024-12-31" });
    expect(result).toEqual({ first: 1, last: 48, count: 48, query: ["2024-12-30", "2024-12-31"] });
  });

  it("is refused if it ends before it starts", async () => {
    const noon = new Date("2025-01-02T12:00:00Z");
    const refused: [Parameters<typeof run>[2], string][] = [
      [{ since: "2025-01-02", until: "2025-01-01" }, "expected 2025-01-02 (since) or later, received 2025-01-01"],
      [{ since: noon, until: new Date("2025-01-02T11:00:00Z") }, "received 2025-01-02T11:00:00.000Z"],
      [{ since: noon, until: "2025-01-01" }, "(since) or later, received 2025-01-01"],
    ];
    const { service } = account([]);
    for (const [options, message] of refused) {
      const promise = run(service, new Map(), options);
      await expect(promise).rejects.toMatchObject({ name: "InvalidArgumentError", issues: [{ path: "until" }] });
      await expect(promise).rejects.toThrow(message);
    }
    expect(service.requests).toEqual([]);
  });

  it("may be a single moment or a single day", async () => {
    expect((await savedNumbers({ since: "2024-12-31", until: "2024-12-31" })).count).toBe(24);
    const moment = new Date(NEWEST - 30 * HOUR_MS);
    expect((await savedNumbers({ since: moment, until: moment })).count).toBe(1);
  });

  it.each([new Date(8.64e15), new Date(-8.64e15)])("may start or end at the limit of Date: %s", async (date) => {
    expect((await savedNumbers(date.getTime() > 0 ? { until: date } : { since: date })).count).toBe(72);
  });

  it("contains a meeting by its moment, and a meeting whose time cannot be read", () => {
    const noon = (day: number) => new Date(`2025-01-${day}T12:00:00.000Z`);
    const period = new Period({ since: noon(10), until: noon(20) });
    const inside = ["2025-01-10T12:00:00.000Z", "2025-01-20T12:00:00.000Z", "2025-01-10T13:00:00+01:00"];
    for (const time of [...inside, "soon", "", undefined, 1_736_000_000_000]) {
      expect(period.includes(time), `${time}`).toBe(true);
    }
    for (const time of ["2025-01-10T11:59:59.999Z", "2025-01-20T12:00:00.001Z"]) {
      expect(period.includes(time), time).toBe(false);
    }
  });

  it("surely contains a meeting only if it does so in every time zone", () => {
    const moment = new Date("2025-01-10T12:00:00.000Z");
    const cases: [ConstructorParameters<typeof Period>[0], string, boolean][] = [
      [{}, "2025-01-01T00:00:00Z", true],
      [{}, "soon", true],
      [{ since: "2025-01-10" }, "soon", false],
      [{ since: "2025-01-10" }, "2025-01-10T23:59:59.999Z", false],
      [{ since: "2025-01-10" }, "2025-01-11T00:00:00.000Z", true],
      [{ until: "2025-01-10" }, "2025-01-10T00:00:00.000Z", true],
      [{ until: "2025-01-10" }, "2025-01-10T00:00:00.001Z", false],
      [{ since: moment }, "2025-01-10T11:59:59.999Z", false],
      [{ since: moment, until: moment }, "2025-01-10T12:00:00.000Z", true],
      [{ until: moment }, "2025-01-10T12:00:00.001Z", false],
    ];
    for (const [options, time, expected] of cases) {
      expect(new Period(options).surelyIncludes(time), JSON.stringify([options, time])).toBe(expected);
    }
  });
});
