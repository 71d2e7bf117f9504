import * as fc from "fast-check";
import { aMeeting, aRoom, createEmulator } from "notetaker-sdk/testing";
import { describe, expect, test } from "vitest";
import { runs } from "../../support/property-seed.js";
import { clientOf, emulatorClient } from "../emulator-client.js";

/** Reads a list completely, and returns the ids in order. */
async function walk(ask: ReturnType<typeof clientOf>, path: string, limit: number, between?: () => void) {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await ask("GET", `${path}${path.includes("?") ? "&" : "?"}limit=${limit}${next}`);
    expect(body.data.length).toBeLessThanOrEqual(limit);
    expect(body.has_more).toBe(body.next_cursor !== null);
    if (body.has_more) expect(body.data).toHaveLength(limit);
    else if (cursor !== null) expect(body.data).not.toEqual([]);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor;
    between?.();
  } while (cursor !== null);
  return ids;
}

describe("a list of the emulator", () => {
  test("returns every item once and in the same order, for any page size", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 12 }), async (count, limit) => {
        const rooms = Array.from({ length: count }, (_, index) =>
          // Some rooms were created at the same moment.
          aRoom({ created_at: new Date(Date.UTC(2025, 0, 1 + (index % 7))).toISOString() }),
        );
        const ask = clientOf(createEmulator({ seed: { rooms } }));
        const ids = await walk(ask, "/rooms", limit);
        expect(new Set(ids).size).toBe(count);
        expect(ids).toEqual(await walk(ask, "/rooms", 100));
      }),
      { numRuns: runs(40) },
    );
  });

  test("returns the remaining items once, even if new ones are added between two pages", async () => {
    const { service, ask } = emulatorClient({ seed: { meetings: Array.from({ length: 9 }, () => aMeeting()) } });
    const before = service.meetings.list().map(({ id }) => id);
    let uploads = 0;
    const walked = await walk(
      ask,
      "/meetings",
      2,
      () => void (uploads++ < 3 && ask("PUT", "/meetings/upload", new Uint8Array(1))),
    );
    expect(walked.filter((id) => before.includes(id as never)).sort()).toEqual([...before].sort());
  });

  test("refuses a cursor of another list, of other filters or of nobody, unless it is lenient", async () => {
    const meetings = Array.from({ length: 3 }, (_, index) => aMeeting({ id: `mtg_${index}`, title: `A${index}` }));
    for (const strict of [true, false]) {
      const { ask } = emulatorClient({ strict, seed: { meetings, rooms: [aRoom(), aRoom()] } });
      const cursor = (await ask("GET", "/meetings?limit=1&search=a")).body.next_cursor;
      const ids = async (query: string) =>
        (await ask("GET", query)).body.data?.map(({ id }: { id: string }) => id) ?? "refused";
      expect(await ids(`/meetings?search=a&expand=documents&cursor=${cursor}`)).toHaveLength(2);
      const other = ["/meetings?search=b", "/meetings?scope=all", "/rooms?search=a"];
      for (const path of other) {
        const [type] = [await ids(`${path}&cursor=${cursor}`)].map((answer) => typeof answer);
        expect(type, path).toBe(strict ? "string" : "object");
      }
      expect(typeof (await ids("/meetings?cursor=nonsense"))).toBe(strict ? "string" : "object");
    }
  });

  test("is read completely if ids are not ASCII", async () => {
    const ids = ["room_é", "room_日本", "room_😀"];
    const { ask } = emulatorClient({ seed: { rooms: ids.map((id) => aRoom({ id })) } });
    expect((await walk(ask, "/rooms", 1)).sort()).toEqual(ids.sort());
  });

  test("has the newest first, also if the clock starts in 1970", async () => {
    const { ask } = emulatorClient({ now: 0 });
    const { body } = await ask("PUT", "/meetings/upload", new Uint8Array(1));
    expect((await ask("GET", "/meetings?limit=1")).body.data).toMatchObject([{ id: body.id }]);
  });

  test("has 25 items a page by default", async () => {
    const { ask } = emulatorClient({ seed: { rooms: Array.from({ length: 26 }, () => aRoom()) } });
    expect((await ask("GET", "/rooms")).body).toMatchObject({ data: { length: 25 }, has_more: true });
  });
});

describe("the emulator's list of rooms", () => {
  const { ask } = emulatorClient();
  const titles = async (query: string) =>
    (await ask("GET", `/rooms?${query}`)).body.data.map(({ title }: { title: string }) => title);

  test("is filtered by ids, scope and title", async () => {
    const { data } = (await ask("GET", "/rooms")).body;
    expect(await titles(`id=${data[0].id}&id=${data[2].id}&id=room_nobody`)).toEqual([data[0].title, data[2].title]);
    expect(await titles("scope=shared")).toEqual(["Company planning"]);
    expect(await titles("scope=owned")).not.toContain("Company planning");
    expect(await titles("search=RESEARCH")).toEqual(["Customer research"]);
    expect(await titles("search=nothing")).toEqual([]);
  });

  test("has meetings and documents only if they are requested with expand", async () => {
    const [plain] = (await ask("GET", "/rooms?limit=1")).body.data;
    expect(plain).not.toHaveProperty("meetings");
    expect(plain).not.toHaveProperty("documents");
    const [both] = (await ask("GET", "/rooms?limit=1&expand=documents&expand=meetings")).body.data;
    expect(both.meetings).toHaveLength(both.meeting_count);
    expect(both.documents).toHaveLength(2 * both.meeting_count);
  });
});

const { ask } = emulatorClient();
const count = async (query: string) => (await ask("GET", `/meetings?${query}`)).body.data.length as number;

test("the emulator's list of meetings is filtered by each of its parameters", async () => {
  const room = (await ask("GET", "/rooms?search=hiring")).body.data[0];
  expect(await count("limit=100")).toBe(11);
  expect(await count("status=failed")).toBe(1);
  expect(await count("scope=shared")).toBe(1);
  expect(await count("search=weekly")).toBe(2);
  expect(await count("q=idempotency%20nonsense")).toBe(1);
  expect(await count("participant=dana")).toBe(1);
  expect(await count("participant=EUN-JI%40contoso.example")).toBe(1);
  expect(await count("company=contoso")).toBe(1);
  expect(await count("company=northwind.example")).toBe(1);
  expect(await count(`room_id=${room.id}`)).toBe(1);
  expect(await count("room_id=room_nobody")).toBe(0);
  // Both dates are included.
  expect(await count("start_date=2025-05-28&end_date=2025-05-29")).toBe(2);
  expect(await count("start_date=2025-06-03")).toBe(0);
  expect(await count("search=weekly&status=failed")).toBe(0);
  expect((await ask("GET", "/meetings?status=complete")).body.error.details).toMatchObject([{ field: "status" }]);
});
