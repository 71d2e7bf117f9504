/** With skipExisting, a second run fetches only what is missing or has changed. */
import type { MeetingSeed } from "notetaker-sdk/testing";
import { describe, expect, it } from "vitest";
import { account, contents, meetings, pathWith, run, type Store, text } from "../support/account.js";

const skipExisting = true;

/** The requests that a run sends to fill the store. */
async function fetchedBy(seeds: MeetingSeed[], store: Store, options: Parameters<typeof run>[2] = {}) {
  const { service, fetched } = account(seeds);
  const summary = await run(service, store, { skipExisting, ...options });
  return { fetched: [...fetched.keys()].sort(), summary };
}

describe("with skipExisting, a second run", () => {
  it("requests only the list, and leaves every file untouched", async () => {
    const store: Store = new Map();
    const formats = { recording: true };
    await fetchedBy(meetings(5), store, { formats });
    const before = contents(store);
    const { fetched, summary } = await fetchedBy(meetings(5), store, { formats });
    expect(fetched).toEqual(["list"]);
    expect(summary).toMatchObject({ meetings: 5, saved: 20, written: 0, unchanged: 30, requests: 1, missing: [] });
    expect(contents(store)).toEqual(before);
  });

  it("requests only the list even if the first run had no skipExisting", async () => {
    const store: Store = new Map();
    await fetchedBy(meetings(2), store, { skipExisting: false });
    expect((await fetchedBy(meetings(2), store)).fetched).toEqual(["list"]);
  });

  it("fetches a new meeting, a new document, and a meeting that has been completed since", async () => {
    const [first, second, third] = meetings(3) as [MeetingSeed, MeetingSeed, MeetingSeed];
    const store: Store = new Map();
    const processing: MeetingSeed = { ...second, status: "processing", transcript: null, documents: [] };
    const { summary } = await fetchedBy(
      [{ ...third, documents: third.documents?.slice(0, 1) ?? [] }, processing],
      store,
    );
    expect(summary.missing).toMatchObject([{ meeting_id: "mtg_00001", what: "transcript", reason: "not_ready" }]);
    const { fetched } = await fetchedBy([first, second, third], store);
    expect(fetched).toEqual([
      "/documents/doc_0_0 markdown",
      "/documents/doc_0_1 markdown",
      "/documents/doc_1_0 markdown",
      "/documents/doc_1_1 markdown",
      "/documents/doc_2_1 markdown",
      "/meetings/mtg_00000/transcript ",
      "/meetings/mtg_00001/transcript ",
      "list",
    ]);
  });

  it("fetches what was missing, and what was deleted from the sink", async () => {
    const [first, second] = meetings(2) as [MeetingSeed, MeetingSeed];
    const store: Store = new Map();
    await fetchedBy([{ ...first, transcript: null }, second], store);
    store.delete(pathWith(store, "mtg_00001", "Summary"));
    const { fetched } = await fetchedBy([first, second], store);
    expect(fetched).toEqual(["/documents/doc_1_0 markdown", "/meetings/mtg_00000/transcript ", "list"]);
  });

  it("fetches only the files of an added format", async () => {
    const store: Store = new Map();
    await fetchedBy(meetings(2), store);
    const formats = { documents: ["markdown", "html"] as const };
    const { fetched } = await fetchedBy(meetings(2), store, { formats });
    expect(fetched).toHaveLength(1 + 4);
    expect(fetched.filter((what) => what.endsWith(" html"))).toHaveLength(4);
    const captions = { transcript: ["vtt"] as const };
    expect((await fetchedBy(meetings(2), store, { formats: captions })).fetched).toHaveLength(1 + 2);
  });

  it("fetches the transcript again if the title has changed, because the file contains the title", async () => {
    const [seed] = meetings(1) as [MeetingSeed];
    const store: Store = new Map();
    await fetchedBy([seed], store);
    const { fetched } = await fetchedBy([{ ...seed, title: "Another title" }], store);
    expect(fetched).toEqual(["/meetings/mtg_00000/transcript ", "list"]);
    expect(text(store, pathWith(store, "transcript.md"))).toContain("# Another title");
  });
});
