/** The emulator as a service with other names. */
import { createEmulator } from "notetaker-sdk/testing";
import { expect, test } from "vitest";
import { clientOf } from "./emulator-client.js";

test("the names of the option assumptions replace those of the parameters", async () => {
  const permissions = ["anyone", "team"].map((type) => ({ recipient: { type }, role: "read" }));
  const seed = { meetings: [{ id: "mtg_1" as const, permissions }] };
  const assumptions = { permissions: { limit: "size" } };
  const [strict, lenient] = [true, false].map((strict) => clientOf(createEmulator({ seed, assumptions, strict })));
  const path = "/meetings/mtg_1/permissions";
  expect((await strict!("GET", `${path}?size=1`)).body.data).toHaveLength(1);
  expect((await strict!("GET", `${path}?limit=1`)).status).toBe(400);
  expect((await lenient!("GET", `${path}?limit=1`)).body.data).toHaveLength(2);
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
