/** The emulator as a service that differs from the documented one. */
import { aRoom, createEmulator, type ServiceVariant } from "notetaker-sdk/testing";
import { describe, expect, test } from "vitest";
import { clientOf } from "./emulator-client.js";

const rooms = Array.from({ length: 30 }, (_, index) => aRoom({ id: `room_${index}`, title: `Room ${index}` }));

const playing = (serviceVariant: ServiceVariant, options: Parameters<typeof createEmulator>[0] = {}) =>
  clientOf(createEmulator({ serviceVariant, seed: { rooms }, ...options }));

describe("the option serviceVariant", () => {
  test("can make a strict emulator ignore unknown parameters", async () => {
    const ask = playing({ unknownParameters: "ignore" });
    expect((await ask("GET", "/rooms?page_size=1&limit=2")).body.data).toHaveLength(2);
    expect((await ask("POST", "/meetings/bot", { meeting: 1 })).status).toBe(400);
  });

  test.each([
    [400, { error: { code: "bad_request" } }],
    [422, { detail: [{ loc: ["query", "page_size"], type: "extra_forbidden" }] }],
  ] as const)("can make the emulator refuse an unknown parameter with %i", async (status, body) => {
    const ask = playing({ unknownParameters: status });
    for (const path of ["/rooms?page_size=1", "/meetings?page_size=1"]) {
      expect(await ask("GET", path)).toMatchObject({ status, body });
    }
  });

  test("can limit the page size", async () => {
    const ask = playing({ maxPageSize: 10 });
    expect((await ask("GET", "/rooms?limit=100")).body).toMatchObject({ has_more: true, data: { length: 10 } });
    expect((await ask("GET", "/rooms")).body.data).toHaveLength(10);
    expect((await ask("GET", "/rooms?limit=3")).body.data).toHaveLength(3);
  });

  test("can change the default page size", async () => {
    expect((await playing({ defaultPageSize: 7 })("GET", "/rooms")).body.data).toHaveLength(7);
  });

  test("can make the emulator not support a parameter, which it then ignores or refuses as unknown", async () => {
    const ask = playing({ ignoredParameters: { rooms: ["search", "ids", "limit"] }, unknownParameters: "ignore" });
    expect((await ask("GET", "/rooms?search=nothing&id=room_1&limit=1")).body.data).toHaveLength(25);
    const refusing = playing({ ignoredParameters: { rooms: ["search"] } });
    const refused = await refusing("GET", "/rooms?search=nothing");
    expect(refused.status).toBe(422);
    expect(refused.body.detail[0].msg).toBe("unknown parameter; expected one of id, scope, expand, cursor, limit");
  });

  test("applies to permissions and documents, too", async () => {
    const permissions = ["anyone", "team"].map((type) => ({ recipient: { type }, role: "read" }));
    const ask = clientOf(
      createEmulator({
        seed: {
          meetings: [{ id: "mtg_1", permissions, documents: ["doc_1"] }],
          documents: [{ id: "doc_1", title: "A", blocks: [] }],
        },
        assumptions: { permissions: { limit: "size" } },
        serviceVariant: { unknownParameters: "ignore", ignoredParameters: { documents: ["format"] } },
      }),
    );
    expect((await ask("GET", "/meetings/mtg_1/permissions?size=1")).body.data).toHaveLength(1);
    expect((await ask("GET", "/meetings/mtg_1/permissions?limit=1")).body.data).toHaveLength(2);
    expect((await ask("GET", "/documents/doc_1?format=raw")).body.format).toBe("html");
  });
});

test("the titles of generated documents follow the option assumptions", async () => {
  const assumptions = { documents: { titles: { summary: "Zusammenfassung" } } };
  const ask = clientOf(createEmulator({ assumptions }));
  const [meeting] = (await ask("GET", "/meetings?expand=documents&status=completed")).body.data;
  expect(meeting.documents.map(({ title }: { title: string }) => title.split(": ").at(-1))).toEqual([
    "Zusammenfassung",
    "action items",
  ]);
});
