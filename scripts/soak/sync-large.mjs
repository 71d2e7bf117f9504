/** An account of 20,000 meetings. The service makes its answers up, so that it holds nothing itself. */
import { Notetaker, syncMeetings } from "notetaker-sdk";
import { expect } from "./expect.mjs";

const COUNT = 20_000;
const PAGE = 100;
const HOUR = 3_600_000;
const TRANSCRIPT = { speakers: [{ id: "spk_1", name: "Ada" }], segments: [] };

/** A service with `count` meetings, one each hour, the last of them a week ago. */
function serviceOf(count, newestMs) {
  const timeOf = (index) => new Date(newestMs - index * HOUR).toISOString();
  const meetingOf = (index) => ({
    ...{ id: `mtg_${index}`, object: "meeting", title: `Meeting ${index}`, status: "completed" },
    ...{ start_time: timeOf(index), end_time: timeOf(index), created_at: timeOf(index), documents: [] },
  });
  return async (input) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
    if (pathname.endsWith("/transcript")) return Response.json(TRANSCRIPT);
    const from = Number(searchParams.get("cursor") ?? 0);
    const since = Date.parse(searchParams.get("start_date") ?? "1970-01-01");
    const last = Math.min(from + PAGE, count, Math.max(0, Math.ceil((newestMs - since) / HOUR)));
    const ids = searchParams.getAll("id").map((id) => Number(id.slice("mtg_".length)));
    if (ids.length > 0) return Response.json({ data: ids.map(meetingOf), has_more: false, next_cursor: null });
    const data = Array.from({ length: Math.max(0, last - from) }, (_, index) => meetingOf(from + index));
    const has_more = data.length === PAGE && last < count;
    return Response.json({ data, has_more, next_cursor: has_more ? String(last) : null });
  };
}

/** Fills SQLite with 20,000 meetings, and reads the unchanged account once more. In real time. */
export async function syncLarge(into) {
  let requests = 0;
  let peak = 0;
  const service = serviceOf(COUNT, Date.now() - 7 * 24 * HOUR);
  const fetch = (...request) => {
    requests += 1;
    return service(...request);
  };
  const notetaker = new Notetaker({ baseUrl: "https://api.example.com/v1", token: "soak", fetch });
  const options = { into: into.open(), requestsPerMinute: 100_000_000 };
  const onProgress = () => {
    peak = Math.max(peak, process.memoryUsage().rss);
  };
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const began = process.hrtime.bigint();
  const { changed } = await syncMeetings(notetaker, { ...options, onProgress });
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  expect(
    `${COUNT} meetings into SQLite with at most 150 MB`,
    changed === COUNT && peak / 1e6 <= 150,
    `${Math.round(COUNT / seconds)} meetings a second, peak ${Math.round(peak / 1e6)} MB, ${Math.round(before / 1e6)} MB before it`,
  );
  requests = 0;
  // Another period begins another full pass.
  const again = await syncMeetings(notetaker, { ...options, since: "2000-01-01" });
  expect(
    `a full pass over an unchanged account of ${COUNT} writes nothing`,
    again.changed === 0 && requests <= COUNT / PAGE + 2,
    `${requests} requests, ${again.changed} meetings written`,
  );
}
