/** A meeting counts as gone only if the service's response proves it. */

import { describe, expect, it } from "vitest";
import { findGone } from "../../../src/node/reading/find-gone.js";
import { MeetingReader } from "../../../src/node/reading/meeting-reader.js";
import { clientOf, json, type Seen } from "../../support/recorder.js";

const ids = (count: number) => Array.from({ length: count }, (_, index) => `mtg_${index}`);
const rowOf = (id: unknown) => ({
  id,
  title: null,
  status: "completed",
  source: "zoom",
  start_time: "2025-01-01T00:00:00Z",
});

/** The ids that count as gone if the service responds in this way. */
async function gone(wanted: string[], answer: (asked: string[]) => { data: unknown[]; has_more?: boolean }) {
  const asked: string[][] = [];
  const handler = ({ query }: Seen) => {
    const batch = query.flatMap(([name, value]) => (name === "id" ? [value] : []));
    asked.push(batch);
    return json({ has_more: false, next_cursor: null, ...answer(batch) });
  };
  const { notetaker } = clientOf(handler);
  const clock = { now: () => 0, sleep: async () => {} };
  const reader = new MeetingReader(notetaker, { requestsPerMinute: 1_000, clock, onWait: () => {} });
  return { gone: await findGone(reader, wanted, new AbortController().signal), asked };
}

describe("a meeting that the list no longer contains", () => {
  it("is gone if the response contains all other requested meetings, in any order", async () => {
    const result = await gone(ids(5), (asked) => ({
      data: asked
        .filter((id) => id !== "mtg_3")
        .reverse()
        .map(rowOf),
    }));
    expect(result.gone).toEqual(["mtg_3"]);
  });

  it("is requested together with at most 19 others", async () => {
    const { asked, gone: found } = await gone(ids(45), (batch) => ({
      data: batch.filter((id) => !["mtg_0", "mtg_20", "mtg_44"].includes(id)).map(rowOf),
    }));
    expect(asked.map((batch) => batch.length)).toEqual([20, 20, 5]);
    expect(asked.flat()).toEqual(ids(45));
    expect(found).toEqual(["mtg_0", "mtg_20", "mtg_44"]);
  });

  it("causes no request if there is none", async () => {
    expect(await gone([], () => ({ data: [] }))).toEqual({ gone: [], asked: [] });
  });

  it.each<[string, (asked: string[]) => { data: unknown[]; has_more?: boolean; next_cursor?: string }]>([
    ["has further pages", () => ({ data: [], has_more: true, next_cursor: "next" })],
    ["has an invalid row", (asked) => ({ data: [...asked.slice(1).map(rowOf), null] })],
    ["has a row without an id", (asked) => ({ data: [...asked.slice(1).map(rowOf), rowOf(null)] })],
    ["has meetings that were not requested, as if the ids were ignored", () => ({ data: [rowOf("mtg_other")] })],
  ])("is not gone if the response %s", async (_, answer) => {
    expect((await gone(ids(3), answer)).gone).toEqual([]);
  });

  it("is found even if the response to another batch proves nothing", async () => {
    const answer = (asked: string[]) => ({ data: asked.includes("mtg_0") ? [null] : asked.slice(1).map(rowOf) });
    expect((await gone(ids(25), answer)).gone).toEqual(["mtg_20"]);
  });
});
