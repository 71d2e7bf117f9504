/**
 * Prints the seconds for 200 pages that take 5 ms to arrive and 5 ms to use: `prefetch.mjs WAY`. `WAY` selects how the
 * next page is fetched while one is used: by hand, by the client, or not at all.
 */
import { Notetaker } from "notetaker-sdk";

const PAGES = 200;
const ARRIVES_MS = 5;
const USED_MS = 5;
const ORIGIN = "http://127.0.0.1:1/v1";
const TIME = "2026-03-02T09:00:00Z";

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function pageAt(cursor) {
  const page = Number(cursor ?? 1);
  const room = {
    id: `room_${page}`,
    title: "A",
    created_at: TIME,
    updated_at: TIME,
    meeting_count: 1,
    share_url: ORIGIN,
  };
  return { data: [room], next_cursor: page < PAGES ? String(page + 1) : null, has_more: page < PAGES };
}

const fetch = async (url) => {
  await sleep(ARRIVES_MS);
  return Response.json(pageAt(new URL(url).searchParams.get("cursor")));
};

const notetaker = new Notetaker({ baseUrl: ORIGIN, token: "token", fetch });
const load = async (cursor) => (await fetch(`${ORIGIN}/rooms${cursor === null ? "" : `?cursor=${cursor}`}`)).json();

async function used(pages) {
  let count = 0;
  for await (const _ of pages) {
    await sleep(USED_MS);
    count += 1;
  }
  return count;
}

const WAYS = {
  async "a hand-written prefetch loop"() {
    let count = 0;
    for (let next = load(null); next !== undefined; ) {
      const page = await next;
      next = page.has_more ? load(page.next_cursor) : undefined;
      await sleep(USED_MS);
      count += 1;
    }
    return count;
  },
  "notetaker-sdk, prefetch": () => used(notetaker.rooms.list({}, { prefetch: true }).pages()),
  "notetaker-sdk": () => used(notetaker.rooms.list().pages()),
};

const began = performance.now();
const count = await WAYS[process.argv[2]]();
if (count !== PAGES) throw new Error(`${count} of ${PAGES} pages`);
console.log(JSON.stringify({ seconds: (performance.now() - began) / 1_000 }));
