/** `index.json` lists the saved files, for people and programs. */
import type { IndexEntry } from "notetaker-sdk/node";
import { describe, expect, it } from "vitest";
import { account, filesOf, meetings, run, type Store, text } from "../support/account.js";

const indexOf = (store: Store): IndexEntry[] => JSON.parse(text(store, "index.json"));
const listed = (store: Store) =>
  indexOf(store)
    .map(({ file }) => file)
    .sort();
const pathsOf = (store: Store) =>
  [...store.keys()].filter((path) => path.includes("/") && !path.startsWith(".")).sort();

describe("index.json", () => {
  it("lists every saved file with its id, title, date and path, the newest meeting first", async () => {
    const store = await filesOf(account(meetings(2)).service, { formats: { recording: true } });
    const folder = "2025-01-01-Weekly-sync-mtg_00000";
    const meeting = {
      id: "mtg_00000",
      title: "Weekly sync",
      date: "2025-01-01T00:00:00.000Z",
      meeting_id: "mtg_00000",
    };
    expect(indexOf(store).slice(0, 7)).toEqual([
      { ...meeting, id: "doc_0_1", title: "Action items", file: `${folder}/documents/Action-items-doc_0_1.md` },
      { ...meeting, id: "doc_0_0", title: "Summary", file: `${folder}/documents/Summary-doc_0_0.md` },
      { ...meeting, file: `${folder}/meeting.json` },
      { ...meeting, file: `${folder}/recording.json` },
      { ...meeting, file: `${folder}/recording.wav` },
      { ...meeting, file: `${folder}/transcript.json` },
      { ...meeting, file: `${folder}/transcript.md` },
    ]);
    expect(listed(store)).toEqual(pathsOf(store));
  });

  it("keeps the entries of earlier exports with other dates and formats", async () => {
    const store = await filesOf(account(meetings(48)).service, { until: "2024-12-31" });
    await run(account(meetings(48)).service, store, { since: "2025-01-01", formats: { transcript: ["vtt"] } });
    expect(listed(store)).toEqual(pathsOf(store));
    expect(new Set(indexOf(store).map(({ meeting_id }) => meeting_id)).size).toBe(48);
  });
});
