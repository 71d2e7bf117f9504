import * as fc from "fast-check";
import { aMeeting, aRoom } from "notetaker-sdk/testing";
import { describe, expect, test } from "vitest";
import { runs } from "../../support/property-seed.js";
import { type EmulatorClient, emulatorClient } from "../emulator-client.js";

const idsOf = (data: { id: string }[]) => data.map(({ id }) => id);

async function walk({ read }: EmulatorClient, path: string, limit: number, between?: () => void) {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await read(`${path}?limit=${limit}${next}`);
    expect(page.has_more).toBe(page.next_cursor !== null);
    if (page.has_more) expect(page.data).toHaveLength(limit);
    else if (cursor !== null) expect(page.data).not.toEqual([]);
    ids.push(...idsOf(page.data));
    cursor = page.next_cursor;
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
        const emulator = emulatorClient({ seed: { rooms } });
        const ids = await walk(emulator, "/rooms", limit);
        expect(new Set(ids).size).toBe(count);
        expect(ids).toEqual(await walk(emulator, "/rooms", 100));
      }),
      { numRuns: runs(40) },
    );
  });

  test("returns the remaining items once, even if new ones are added between two pages", async () => {
    const emulator = emulatorClient({ seed: { meetings: Array.from({ length: 9 }, () => aMeeting()) } });
    const before = idsOf([...emulator.service.meetings.list()]);
    let uploads = 0;
    const walked = await walk(emulator, "/meetings", 2, () => {
      if (uploads++ < 3) void emulator.ask("PUT", "/meetings/upload", new Uint8Array(1));
    });
    expect(walked.filter((id) => before.includes(id)).sort()).toEqual(before.sort());
  });

  test("refuses a cursor of another list, of other filters or of nobody, unless it is lenient", async () => {
    const meetings = Array.from({ length: 3 }, (_, index) => aMeeting({ id: `mtg_${index}`, title: `A${index}` }));
    for (const strict of [true, false]) {
      const { ask, read } = emulatorClient({ strict, seed: { meetings, rooms: [aRoom(), aRoom()] } });
      const { next_cursor } = await read("/meetings?limit=1&search=a");
      expect((await read(`/meetings?search=a&expand=documents&cursor=${next_cursor}`)).data).toHaveLength(2);
      const other = ["meetings?search=b", "meetings?scope=all", "rooms?search=a"];
      for (const query of [...other.map((list) => `${list}&cursor=${next_cursor}`), "meetings?cursor=nonsense"]) {
        expect((await ask("GET", `/${query}`)).status < 300, query).toBe(!strict);
      }
    }
  });

  test("is read completely if ids are not ASCII", async () => {
    const ids = ["room_é", "room_日本", "room_😀"];
    expect(
      (await walk(emulatorClient({ seed: { rooms: ids.map((id) => aRoom({ id })) } }), "/rooms", 1)).sort(),
    ).toEqual(ids.sort());
  });

  test("has the newest first, also if the clock starts in 1970", async () => {
    const { ask, read } = emulatorClient({ now: 0 });
    const { body } = await ask("PUT", "/meetings/upload", new Uint8Array(1));
    expect((await read("/meetings?limit=1")).data).toMatchObject([{ id: body.id }]);
  });

  test("has 25 items a page by default", async () => {
    const { read } = emulatorClient({ seed: { rooms: Array.from({ length: 26 }, () => aRoom()) } });
    expect(await read("/rooms")).toMatchObject({ data: { length: 25 }, has_more: true });
  });
});

const { ask, read } = emulatorClient();

test("the emulator's list of rooms is filtered by ids, scope and title", async () => {
  const titles = async (query: string) =>
    (await read(`/rooms?${query}`)).data.map(({ title }: { title: string }) => title);
  const { data } = await read("/rooms");
  expect(await titles(`id=${data[0].id}&id=${data[2].id}&id=room_nobody`)).toEqual([data[0].title, data[2].title]);
  expect(await titles("scope=shared")).toEqual(["Company planning"]);
  expect(await titles("scope=owned")).not.toContain("Company planning");
  expect(await titles("search=RESEARCH")).toEqual(["Customer research"]);
  expect(await titles("search=nothing")).toEqual([]);
});

test("the emulator's rooms have meetings and documents only if they are requested with expand", async () => {
  const [plain] = (await read("/rooms?limit=1")).data;
  expect(plain).not.toHaveProperty("meetings");
  expect(plain).not.toHaveProperty("documents");
  const [both] = (await read("/rooms?limit=1&expand=documents&expand=meetings")).data;
  expect(both.meetings).toHaveLength(both.meeting_count);
  expect(both.documents).toHaveLength(2 * both.meeting_count);
});

test.each([
  ["limit=100", 11],
  ["status=failed", 1],
  ["scope=shared", 1],
  ["search=weekly", 2],
  ["search=weekly&status=failed", 0],
  ["q=idempotency%20nonsense", 1],
  ["participant=dana", 1],
  ["participant=EUN-JI%40contoso.example", 1],
  ["company=contoso", 1],
  ["company=northwind.example", 1],
  ["room_id=room_1", 3],
  ["room_id=room_nobody", 0],
  // Both dates are included.
  ["start_date=2025-05-28&end_date=2025-05-29", 2],
  ["start_date=2025-06-03", 0],
])("the emulator's list of meetings is filtered: %s has %i", async (query, count) => {
  expect((await read(`/meetings?${query}`)).data).toHaveLength(count);
});

test("the emulator's list of meetings refuses an unknown status", async () => {
  const { body } = await ask("GET", "/meetings?status=complete");
  expect(body.error.details).toMatchObject([{ field: "status" }]);
});
