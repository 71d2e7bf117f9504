/** The heap of a follower that has read an account. The service makes its answers up, so that it holds nothing itself. */
import { Notetaker, walkMeetings } from "notetaker-sdk";

const PAGE = 50;
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
    const data = Array.from({ length: Math.max(0, last - from) }, (_, index) => meetingOf(from + index));
    const has_more = data.length === PAGE && last < count;
    return Response.json({ data, has_more, next_cursor: has_more ? String(last) : null });
  };
}

const collected = async () => {
  for (let turn = 0; turn < 5; turn += 1) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
};

/** In bytes, while the follower lives, after what it needed for `count` meetings was collected. */
export async function heapBehind(count, time) {
  const stop = new AbortController();
  const fetch = serviceOf(count, Date.now() - 7 * 24 * HOUR);
  const notetaker = new Notetaker({ baseUrl: "https://api.example.com/v1", token: "soak", fetch });
  const before = await collected();
  let items = 0;
  let isIdle = false;
  const run = (async () => {
    const walk = walkMeetings(notetaker, {
      ...{ follow: true, requestsPerMinute: 1_000_000, signal: stop.signal },
      onIdle: () => {
        isIdle = true;
      },
    });
    for await (const { meeting } of walk) items += meeting.id ? 1 : 0;
  })().catch(() => {});
  await time.passUntil(Date.now() + 365 * 24 * HOUR, () => isIdle);
  if (items !== count) throw new Error(`${items} items of ${count} meetings`);
  await time.passUntil(Date.now() + HOUR);
  const after = await collected();
  stop.abort();
  await run;
  return after - before;
}
