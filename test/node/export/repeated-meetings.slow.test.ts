/** Lists repeat rows if meetings are added during a walk, or if the service is wrong. */
import { type ExportProgress, exportMeetings } from "notetaker-sdk/node";
import { describe, expect, it } from "vitest";
import {
  account,
  clientOf,
  clientOfEdited,
  contents,
  editedRows,
  filesOf,
  meetings,
  type Store,
  storeSink,
  UNLIMITED,
} from "../support/account.js";

describe("a meeting that the list repeats", () => {
  it("on one page is saved once", async () => {
    const { service, fetched } = account(meetings(3));
    const twice = editedRows((rows) => [...rows, ...rows]);
    const options = { into: storeSink(new Map()), ...UNLIMITED };
    const summary = await exportMeetings(clientOfEdited(service, twice), options);
    expect(summary).toMatchObject({ meetings: 3, saved: 9, written: 15, unchanged: 0, missing: [] });
    expect(new Set(fetched.values())).toEqual(new Set([1]));
  });

  it("on two pages is saved once despite 503s and an abort, and the files are the same as without these", async () => {
    const { service, fetched } = account(meetings(70));
    const start = service.snapshot();
    const clean = await filesOf(service);
    service.restore(start);
    fetched.clear();

    const store: Store = new Map();
    let firstPage: unknown[] | undefined;
    const withFirstPage = editedRows((rows) => {
      firstPage ??= rows;
      return rows === firstPage ? rows : [...firstPage.slice(-5), ...rows];
    });
    const notetaker = clientOfEdited(service, withFirstPage);
    const abort = new AbortController();
    const onProgress = ({ meetingsDone }: ExportProgress) => {
      if (meetingsDone === 50) abort.abort(new Error("enough"));
    };
    const options = { into: storeSink(store), ...UNLIMITED };
    await expect(exportMeetings(notetaker, { ...options, signal: abort.signal, onProgress })).rejects.toThrow("enough");
    service.faults.next("GET /meetings", { status: 503, times: 2 });
    const summary = await exportMeetings(notetaker, options);

    expect(summary).toMatchObject({ resumed: true, meetings: 70, saved: 210, missing: [] });
    const pieces = [...fetched].filter(([what]) => what !== "list");
    // The requests that were under way at the abort are sent again.
    expect(pieces.filter(([, times]) => times > 1).length).toBeLessThanOrEqual(4);
    expect(contents(store)).toEqual(contents(clean));
  });
});

describe("a list of empty pages", () => {
  it("ends the run with a PaginationError after 1,000 empty pages", async () => {
    const { service } = account(meetings(3));
    let page = 0;
    // The emulator refuses cursors that it did not create.
    const fetch = async () => Response.json({ data: [], has_more: true, next_cursor: `page-${page++}` });
    const notetaker = clientOf(service, { fetch });
    const promise = exportMeetings(notetaker, { into: storeSink(new Map()), ...UNLIMITED });
    await expect(promise).rejects.toMatchObject({ name: "PaginationError" });
  });
});
