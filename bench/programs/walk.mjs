/**
 * Prints the CPU time per page of a walk over all pages: `walk.mjs CLIENT FEW [MANY]`, with few pages and with many. The
 * `fetch` is in memory. A page has one item, so that a cost which grows with the number of pages is visible.
 */
const [name, few = "2000", many] = process.argv.slice(2);
const FEW = Number(few);
const ORIGIN = "http://127.0.0.1:1";
const TIME = "2026-03-02T09:00:00Z";

/** The number of the service's last page. `bodies` makes the page with a number. */
let count = FEW;
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
  v1: (page, next) => ({
    object: "list",
    data: [{ id: `cus_${page}`, object: "customer" }],
    has_more: next !== undefined,
  }),
  octokit: (page) => [{ id: page, name: "A" }],
};

/** Each client sends the cursor of the previous page in its own parameter. */
globalThis.fetch = async (request) => {
  // A network answers in a later turn of the event loop. Within one turn, V8 frees nothing that a WeakRef refers to, and
  // the platform refers so to each request and its signals.
  await new Promise((resolve) => setImmediate(resolve));
  const { pathname, searchParams } = new URL(request.url ?? request);
  const kind = pathname.split("/", 2)[1];
  const cursor = searchParams.get("cursor") ?? searchParams.get("page") ?? undefined;
  const after = searchParams.get("after") ?? searchParams.get("after_id") ?? searchParams.get("starting_after");
  const number = (text) => Number(/\d+$/.exec(text)[0]);
  let page = 1;
  if (cursor !== undefined) page = number(cursor);
  else if (after !== null) page = number(after) + 1;
  const next = page < count ? page + 1 : undefined;
  const headers = { "content-type": "application/json" };
  if (kind === "octokit" && next) headers.link = `<${ORIGIN}${pathname}?page=${next}>; rel="next"`;
  return new Response(JSON.stringify(bodies[kind](page, next)), { headers });
};

async function itemsOf(list) {
  let items = 0;
  for await (const _ of list) items += 1;
  return items;
}

const CLIENTS = {
  "a loop over fetch": async () => async () => {
    let items = 0;
    for (let cursor; cursor !== null; ) {
      const response = await fetch(`${ORIGIN}/notetaker/v1/rooms${cursor === undefined ? "" : `?cursor=${cursor}`}`);
      const page = await response.json();
      items += page.data.length;
      cursor = page.next_cursor;
    }
    return items;
  },
  "notetaker-sdk": async () => {
    const { Notetaker } = await import("notetaker-sdk");
    const client = new Notetaker({ baseUrl: `${ORIGIN}/notetaker/v1`, token: "token" });
    return () => itemsOf(client.rooms.list());
  },
  openai: async () => {
    const { default: OpenAI } = await import("openai");
    const client = new OpenAI({ baseURL: `${ORIGIN}/openai/v1`, apiKey: "key" });
    return () => itemsOf(client.files.list());
  },
  "@anthropic-ai/sdk": async () => {
    const { default: Anthropic } = await import("@anthropic-ai/sdk");
    const client = new Anthropic({ baseURL: `${ORIGIN}/anthropic`, apiKey: "key" });
    return () => itemsOf(client.models.list());
  },
  stripe: async () => {
    const { default: Stripe } = await import("stripe");
    const httpClient = Stripe.createFetchHttpClient(globalThis.fetch);
    const client = new Stripe("sk_test_1", { host: "127.0.0.1", protocol: "http", httpClient, telemetry: false });
    return () => itemsOf(client.customers.list());
  },
  octokit: async () => {
    const { Octokit } = await import("octokit");
    const client = new Octokit({ baseUrl: `${ORIGIN}/octokit`, throttle: { enabled: false } });
    return async () => {
      let items = 0;
      const repository = { owner: "owner", repo: "repo" };
      for await (const { data } of client.paginate.iterator(client.rest.issues.listLabelsForRepo, repository)) {
        items += data.length;
      }
      return items;
    };
  },
};

const walk = await CLIENTS[name]();

async function microsecondsPerPage(total) {
  count = total;
  const before = process.cpuUsage();
  const items = await walk();
  const { user, system } = process.cpuUsage(before);
  if (items !== total) throw new Error(`${items} of ${total} items`);
  return (user + system) / total;
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** How many walks over few pages there are. The first half is not measured. */
const WALKS_OF_FEW = 6;
const times = [];
for (let index = 0; index < WALKS_OF_FEW; index += 1) times.push(await microsecondsPerPage(FEW));
const measured = { few: mean(times.slice(WALKS_OF_FEW / 2)) };
if (many !== undefined) measured.many = await microsecondsPerPage(Number(many));
console.log(JSON.stringify(measured));
process.exit();
