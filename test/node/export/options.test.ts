/** Which options exports and walks refuse, before they send a request. */
import { InvalidArgumentError } from "notetaker-sdk";
import { type ExportOptions, exportMeetings, type WalkOptions, walkMeetings } from "notetaker-sdk/node";
import { expect, it } from "vitest";
import { rejectionOf } from "../../support/recorder.js";
import { account, clientOf, meetings, run, storeSink } from "../support/account.js";

const sink = storeSink(new Map());
const render = () => "";
const resume = (place: object) => Buffer.from(JSON.stringify(place)).toString("base64url");

/** Options, and the paths of their issues. */
type Refused = [options: unknown, ...paths: string[]];

const REFUSED_BY_BOTH: Refused[] = [
  [{ since: "yesterday" }, "since"],
  [{ since: "2025-02-30" }, "since"],
  [{ since: 5 }, "since"],
  [{ until: new Date(Number.NaN) }, "until"],
  [{ since: "2025-01-02", until: "2025-01-01" }, "until"],
  [{ concurrency: 0 }, "concurrency"],
  [{ concurrency: 1.5 }, "concurrency"],
  [{ requestsPerMinute: 0 }, "requestsPerMinute"],
  [{ requestsPerMinute: 1.5 }, "requestsPerMinute"],
  [{ formats: { documents: ["pdf"] } }, "formats.documents[0]"],
  [{ formats: { documents: "markdown" } }, "formats.documents"],
  [{ formats: ["markdown"] }, "formats"],
  [{ signal: {} }, "signal"],
  [{ onGone: "log" }, "onGone"],
  [{ sinse: "2025-01-01" }, "sinse"],
];

const REFUSED_BY_EXPORT: Refused[] = [
  [{ into: "" }, "into"],
  [{ into: null }, "into"],
  [{ into: { write() {} } }, "into"],
  [{ into: { read() {} } }, "into"],
  [{ into: { ...sink, writeStream: true } }, "into"],
  [{ into: { ...sink, delete: "yes" } }, "into"],
  [{ into: { ...sink, lock: {} } }, "into"],
  [{ into: { ...sink, delete: undefined }, prune: true }, "into"],
  [{ formats: { transcript: ["docx"] } }, "formats.transcript[0]"],
  [{ formats: { transcript: [{ extension: "../../x", render }] } }, "formats.transcript[0]"],
  [{ formats: { transcript: [{ extension: "txt" }] } }, "formats.transcript[0]"],
  [{ formats: { transcript: ["json", { extension: "md", render }, "markdown"] } }, "formats.transcript[2]"],
  [{ formats: { recordings: true } }, "formats.recordings"],
  [{ formats: { recording: "yes" } }, "formats.recording"],
  [{ onProgress: console }, "onProgress"],
  [
    {
      ...{ into: { ...sink, delete: undefined }, prune: true },
      since: "2025-01-02",
      until: "2025-01-01",
      formats: { transcript: ["srt", "srt"] },
    },
    ...["until", "formats.transcript[1]", "into"],
  ],
];

const REFUSED_BY_WALK: Refused[] = [
  [{ resume: "nonsense" }, "resume"],
  [{ resume: "" }, "resume"],
  [{ resume: 5 }, "resume"],
  [{ resume: resume({ v: 2, page: 1, seen: [] }) }, "resume"],
  [{ resume: resume({ v: 1, page: 0, seen: [] }) }, "resume"],
  [{ resume: resume({ v: 1, page: 1, seen: [5] }) }, "resume"],
  [{ resume: resume({ v: 1, page: 1, seen: [], cursor: "" }) }, "resume"],
  [{ resume: resume({ v: 1, page: 1, seen: [], since: "soon" }) }, "resume"],
  [{ formats: { transcript: "json" } }, "formats.transcript"],
  [{ formats: { recording: true } }, "formats.recording"],
  [{ known: "mtg_1" }, "known"],
  [{ known: null }, "known"],
  [{ known: ["mtg_1", "room_1"] }, "known[1]"],
  [{ onGone: () => {} }, "known"],
  [{ into: "folder" }, "into"],
  [{ since: "2025-01-02", until: "2025-01-01", known: ["x"], resume: "nonsense" }, "until", "known[0]", "resume"],
];

it("invalid options of exportMeetings are refused before a request is sent", async () => {
  const { service } = account([]);
  for (const [options, ...paths] of [...REFUSED_BY_BOTH, ...REFUSED_BY_EXPORT]) {
    const promise = exportMeetings(clientOf(service), { into: sink, ...(options as object) });
    const { issues } = await rejectionOf(InvalidArgumentError, promise);
    expect(
      issues.map(({ path }) => path),
      JSON.stringify(options),
    ).toEqual(paths);
  }
  for (const options of [undefined, null, "meetings", []]) {
    const { issues } = await rejectionOf(InvalidArgumentError, exportMeetings(clientOf(service), options as never));
    expect(issues).toMatchObject([{ path: "" }]);
  }
  expect(service.requests).toEqual([]);
});

it("invalid options of walkMeetings are refused before a request is sent", async () => {
  const { service } = account([]);
  for (const [options, ...paths] of [...REFUSED_BY_BOTH, ...REFUSED_BY_WALK]) {
    const walk = walkMeetings(clientOf(service), options as WalkOptions);
    const { issues } = await rejectionOf(InvalidArgumentError, walk.next());
    expect(
      issues.map(({ path }) => path),
      JSON.stringify(options),
    ).toEqual(paths);
  }
  expect(service.requests).toEqual([]);
});

it("an export with other dates, formats or recordings is another export; concurrency and the like do not matter", async () => {
  const { service } = account(meetings(1));
  const interrupted = async (options: Partial<ExportOptions>) => {
    const store = new Map();
    const onProgress: ExportOptions["onProgress"] = ({ phase }) => {
      if (phase === "exporting") throw new Error("enough");
    };
    await run(service, store, { ...options, onProgress }).catch(() => {});
    return store;
  };
  const same: Partial<ExportOptions> = { concurrency: 1, skipExisting: true, requestsPerMinute: 1e5 };
  const others: Partial<ExportOptions>[] = [
    { since: "2024-01-01" },
    { since: "2024-01-02" },
    { until: "2026-01-01" },
    { formats: { transcript: ["json"] } },
    { formats: { transcript: [{ extension: "json", render }] } },
    { formats: { documents: ["docx"] } },
    { formats: { recording: true } },
  ];
  const store = await interrupted({});
  expect(await run(service, new Map(store), same)).toMatchObject({ resumed: true });
  for (const options of others) expect(await run(service, new Map(store), options)).toMatchObject({ resumed: false });
  const [first, second] = others as [Partial<ExportOptions>, Partial<ExportOptions>];
  expect(await run(service, await interrupted(first), second)).toMatchObject({ resumed: false });
});
