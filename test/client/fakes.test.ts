/** Fakes for unit tests that need no service. */
import { fakePage, type NotetakerLike, Page, PagePromise, PaginationError } from "notetaker-sdk";
import * as testing from "notetaker-sdk/testing";
import { describe, expect, it } from "vitest";
import { rejectionOf } from "../support/recorder.js";
import * as samples from "../support/samples.js";

/** Code under test, as a user would write it. */
async function titles(notetaker: { rooms: Pick<NotetakerLike["rooms"], "list"> }): Promise<string[]> {
  const found: string[] = [];
  for await (const room of notetaker.rooms.list({ scope: "owned" })) found.push(room.title);
  return found;
}

describe("fakePage", () => {
  const rooms = [samples.room, { ...samples.room, id: "room_2" as const, title: "Design" }] as never[];

  it.each([undefined, null, "rooms", { data: [] }])("refuses %j instead of an array of items", (items) => {
    expect(() => fakePage(items as never)).toThrow(/^fakePage: items: /);
  });

  it("can be iterated, awaited, and collected with toArray()", async () => {
    expect(await titles({ rooms: { list: () => fakePage(rooms) } })).toEqual([samples.room.title, "Design"]);
    const page = await fakePage(rooms);
    expect(page).toBeInstanceOf(Page);
    expect(fakePage(rooms)).toBeInstanceOf(PagePromise);
    expect(page.data).toEqual(rooms);
    expect(page.invalid).toEqual([]);
    expect(page.toJSON()).toEqual({ data: rooms, next_cursor: null, has_more: false });
    expect(await fakePage(rooms).toArray({ max: 1 })).toHaveLength(1);
    const { message } = await rejectionOf(PaginationError, page.nextPage());
    expect(message).toBe("fakePage: this is the last page");
  });

  it("carries additional fields and a response", async () => {
    const { data, response } = await fakePage([samples.permission], { share_url: "https://a.example" }).withResponse();
    expect(data.share_url).toBe("https://a.example");
    expect(await response.json()).toEqual(data.toJSON());
    expect(response.headers.get("content-type")).toBe("application/json");
  });

  it("is also exported by notetaker-sdk/testing", () => {
    expect(testing.fakePage).toBe(fakePage);
  });
});
