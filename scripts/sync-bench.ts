/**
 * `npm run bench:sync -- [meetings] [part]` measures syncMeetings, by default with 20,000 meetings and in all parts, each in
 * a process of its own: `sqlite`, `event`, `long` (a transcript of 200,000 segments into SQLite), `folder`. The service is a
 * function in the same process, without limits. Fails if the account takes more memory than `MAX_MB`, or if a pass over an
 * unchanged account writes or requests more than the list.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type MeetingStore, memoryStore, Notetaker, syncMeetings } from "../src/index.js";
import { folderStore } from "../src/node/index.js";
import { sqliteStore } from "../src/sql/index.js";
import { collectGarbage } from "../test/support/collect-garbage.js";
import { type OpenedSqlite, openSqlite } from "./open-sqlite.js";

const EVENTS = 20;
const IN_FOLDER = 2_000;
const LONG = 200_000;
/** In use after a collection, which every tenth report of the run comes after. */
const MAX_MB = 60;
const COLLECT_EVERY = 10;
const PAGE = 100;
const HOUR_MS = 3_600_000;
const NEWEST = Date.now() - 7 * 24 * HOUR_MS;

const meeting = (number: number) => {
  const start_time = new Date(NEWEST - number * HOUR_MS).toISOString();
  const documents = ["Summary", "Action items"].map((title, index) => ({ id: `doc_${number}_${index}`, title }));
  return { id: `mtg_${number}`, title: `Weekly ${number}`, status: "completed", source: "zoom", start_time, documents };
};
const transcript = (id: string, count: number) => ({
  ...{ meeting_id: id, language: "en", speakers: [{ id: "spk_1", name: "Ada Okafor" }] },
  segments: Array.from({ length: count }, (_, index) => ({
    ...{ speaker_id: "spk_1", start_time: index * 3, end_time: index * 3 + 3 },
    text: `This is what was said in sentence ${index} of the meeting, about the renewal.`,
  })),
});

/** A client of an account with these meetings, and how many requests it has sent. */
function account(count: number, segments: number) {
  const sent = { requests: 0 };
  const page = (query: URLSearchParams) => {
    const ids = query.getAll("id").map((id) => Number(id.slice("mtg_".length)));
    const since = Date.parse(query.get("start_date") ?? "");
    const listed = Number.isNaN(since)
      ? count
      : Math.min(count, Math.max(0, 1 + Math.floor((NEWEST - since) / HOUR_MS)));
    const from = Number(query.get("cursor") ?? 0);
    const end = ids.length > 0 ? listed : Math.min(from + PAGE, listed);
    const numbers = ids.length > 0 ? ids : Array.from({ length: end - from }, (_, index) => from + index);
    return { data: numbers.map(meeting), has_more: end < listed, next_cursor: end < listed ? String(end) : null };
  };
  const fetch = async (url: string) => {
    sent.requests += 1;
    // As on a network, where other tasks run between two requests: without, nothing that is held weakly is collected.
    await setImmediate();
    const { pathname, searchParams } = new URL(url);
    const [, , resource, id = ""] = pathname.split("/");
    if (resource === "meetings") return Response.json(id === "" ? page(searchParams) : transcript(id, segments));
    const document = { id, title: "Summary", format: "markdown", created_at: "2026-01-31T10:00:00Z" };
    return Response.json({ ...document, content: "# Summary\n\nThe renewal is sold." });
  };
  return { sent, notetaker: new Notetaker({ baseUrl: "https://bench.test/v1", token: "t", fetch: fetch as never }) };
}

const MB = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
const UNLIMITED = { requestsPerMinute: 1e9 };
const print = (what: string, figures: string) => console.log(`${what.padEnd(44)}${figures}`);

const PARTS: Readonly<Record<string, (opened: OpenedSqlite, count: number) => Promise<void>>> = {
  async sqlite({ database }, count) {
    const { notetaker, sent } = account(count, 20);
    const into = sqliteStore(database);
    let heap = 0;
    let reports = 0;
    const onProgress = () => {
      reports += 1;
      if (reports % COLLECT_EVERY > 0) return;
      collectGarbage();
      heap = Math.max(heap, process.memoryUsage().heapUsed);
    };
    const began = performance.now();
    await syncMeetings(notetaker, { into, onProgress, ...UNLIMITED });
    const perSecond = Math.round((count / (performance.now() - began)) * 1_000);
    print(`${count} meetings into SQLite`, `${perSecond} a second, at most ${MB(heap)} in use`);
    sent.requests = 0;
    // Another period begins another full pass.
    const { changed } = await syncMeetings(notetaker, { into, since: "2000-01-01", ...UNLIMITED });
    print("a full pass over them", `${sent.requests} requests, ${changed} meetings written`);
    if (heap > MAX_MB * 1e6 || changed > 0 || sent.requests > count / PAGE + 2) process.exitCode = 1;
  },

  async event({ database }) {
    const stop = new AbortController();
    const took: number[] = [];
    let hasChanged = () => {};
    async function* events() {
      for (let number = 0; number < EVENTS; number += 1) {
        const changed = new Promise<void>((resolve) => {
          hasChanged = resolve;
        });
        const began = performance.now();
        yield { meetingId: `mtg_${number}` };
        await changed;
        took.push(performance.now() - began);
      }
      stop.abort();
    }
    const { notetaker } = account(0, 20);
    const options = { into: sqliteStore(database), follow: true, wake: events(), signal: stop.signal, ...UNLIMITED };
    // It is called after the transaction.
    await syncMeetings(notetaker, { ...options, onChange: () => hasChanged() }).catch(() => {});
    print("from an event to its row", `${Math.round(Math.max(...took))} ms at most of ${EVENTS}`);
  },

  async long({ database }) {
    const before = MB(process.memoryUsage.rss());
    await syncMeetings(account(1, LONG).notetaker, { into: sqliteStore(database), ...UNLIMITED });
    const peak = MB(process.resourceUsage().maxRSS * 1_000);
    print(`a transcript of ${LONG} segments`, `the process had ${peak} at most, and ${before} before`);
  },

  async folder({ folder }) {
    const cpuMs = async (into: MeetingStore, count: number) => {
      const before = process.cpuUsage();
      await syncMeetings(account(count, 20).notetaker, { into, ...UNLIMITED });
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000 / count;
    };
    await cpuMs(memoryStore(), IN_FOLDER);
    const inMemory = await cpuMs(memoryStore(), IN_FOLDER);
    const inFolder = await cpuMs(folderStore(join(folder, "meetings")), IN_FOLDER);
    print("a small meeting into a folder", `${inFolder.toFixed(1)} ms of CPU, in memory ${inMemory.toFixed(1)} ms`);
  },
};

const [count = "20000", part] = process.argv.slice(2);
const run = PARTS[part ?? ""];
if (run !== undefined) {
  const opened = await openSqlite();
  await run(opened, Number(count));
  opened.close();
} else {
  for (const name of Object.keys(PARTS)) {
    const args = [...process.execArgv, process.argv[1] ?? "", count, name];
    if (spawnSync(process.execPath, args, { stdio: "inherit" }).status !== 0) process.exitCode = 1;
  }
}
