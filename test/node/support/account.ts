/** An account to read, and clients of it. */
import { type ClientOptions, Notetaker } from "notetaker-sdk";
import {
  aDocument,
  aTranscript,
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  type MeetingSeed,
} from "notetaker-sdk/testing";

const TITLES = [
  "Weekly sync",
  null,
  "../../../etc/passwd",
  "CON",
  'Q3 / Q4: <plan>?*|"',
  "🎉🎉🎉",
  "Überprüfung & Zukunft",
  "第三季度回顾",
  `Long ${"title ".repeat(1_700)}`,
];

/** `count` meetings with the newest first, each with a transcript and two documents. */
export function meetings(count: number): MeetingSeed[] {
  const start = Date.UTC(2025, 0, 1);
  return Array.from({ length: count }, (_, index) => ({
    id: `mtg_${String(index).padStart(5, "0")}`,
    title: TITLES[index % TITLES.length] ?? null,
    start_time: new Date(start - index * 3_600_000).toISOString(),
    transcript: aTranscript({
      lines: [
        ["Ada", `This is meeting ${index}.`],
        ["Ben", "Agreed."],
      ],
    }),
    documents: ["Summary", "Action items"].map((title, part) =>
      aDocument({ id: `doc_${index}_${part}`, title, created_at: "2025-01-02T00:00:00Z" }),
    ),
  }));
}

/** The service with these meetings, which counts the requests for each item. */
export function account(seeds: MeetingSeed[], options: EmulatorOptions = {}) {
  const fetched = new Map<string, number>();
  const service = createEmulator({
    seed: { meetings: seeds },
    limits: "none",
    ...options,
    onRequest: ({ path, query, status = 0 }) => {
      if (status >= 400) return;
      const what = path === "/meetings" ? "list" : `${path} ${query.get("format") ?? ""}`;
      fetched.set(what, (fetched.get(what) ?? 0) + 1);
    },
  });
  return { service, fetched };
}

/** So many that a run does not wait. */
export const UNLIMITED = { requestsPerMinute: 1e6 };

export const clientOf = (service: Emulator, options: ClientOptions = {}) =>
  new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: service.fetch, ...options });
