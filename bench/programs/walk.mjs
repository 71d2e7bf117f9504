/**
 * Prints the CPU time per page of a walk over all pages: `walk.mjs CLIENT [FEW] [MANY]`, with few pages and with many. The
 * `fetch` is in memory. A page has one item, so that a cost which grows with the number of pages is visible.
 */
import { PEERS } from "./peers.mjs";

const [name, few = "2000", many] = process.argv.slice(2);
const ORIGIN = "http://127.0.0.1:1";
const TIME = "2026-03-02T09:00:00Z";

/** The number of the service's last page. `bodies` makes the page with a number. */
let count = 0;
const bodies = {
  notetaker: (page, next) => ({
    data: [{ id: `room_${page}`, title: "A", created_at: TIME, updated_at: TIME, meeting_count: 1, share_url: ORIGIN }],
    next_cursor: next ? `cursor_${next}` : null,
    has_more: next !== undefined,
  }),
  openai: (page, next) => ({
    object: "list",
    data: [{ id: `file_${page}`, object: "file" }],
    has_more: next !== undefined,
  }),
  anthropic: (page, next) => ({
    data: [{ id: `cursor_${page}`, type: "model", display_name: "A", created_at: TIME }],
    first_id: `cursor_${page}`,
    last_id: `cursor_${page}`,
    has_more: next !== undefined,
  }),
};

/** Each client sends the cursor of the next page, or the id of the last item, in its own parameter. */
globalThis.fetch = async (request) => {
  // A network answers in a later turn of the event loop. Within one turn, V8 frees nothing that a WeakRef refers to, and
  // the platform refers so to each request and its signals.
  await new Promise((resolve) => setImmediate(resolve));
  const { pathname, searchParams } = new URL(request.url ?? request);
  const numberIn = (text) => Number(/\d+$/.exec(text ?? "")?.[0] ?? 0);
  const after = numberIn(searchParams.get("after") ?? searchParams.get("after_id"));
  const page = numberIn(searchParams.get("cursor")) || after + 1;
  const body = bodies[pathname.split("/", 2)[1]](page, page < count ? page + 1 : undefined);
  return new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } });
};

const { create, walk } = await PEERS[name].load();
const client = create(ORIGIN);

async function microsecondsPerPage(total) {
  count = total;
  const before = process.cpuUsage();
  let items = 0;
  for await (const _ of walk(client)) items += 1;
  const { user, system } = process.cpuUsage(before);
  if (items !== total) throw new Error(`${items} of ${total} items`);
  return (user + system) / total;
}

/** How many walks over few pages there are. The first half is not measured. */
const WALKS_OF_FEW = 6;
const times = [];
for (let index = 0; index < WALKS_OF_FEW; index += 1) times.push(await microsecondsPerPage(Number(few)));
const measured = { few: times.slice(WALKS_OF_FEW / 2).reduce((sum, time) => sum + time, 0) / (WALKS_OF_FEW / 2) };
if (many !== undefined) measured.many = await microsecondsPerPage(Number(many));
console.log(JSON.stringify(measured));
process.exit();
