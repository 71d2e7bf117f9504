/**
 * The server for the case `calls`, in a separate process on loopback. Each client gets a response in its own envelope,
 * and each response has about 1.4 KB. The server ends with the process that started it, and after `LIFETIME_MS` at the
 * latest.
 */
import { createServer } from "node:http";

const LIFETIME_MS = 30 * 60_000;
const MAX_CONNECTIONS = 256;
const TIME = "2026-03-02T09:00:00Z";

const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const filler = (length) => "An answer is about as long as those of the others. ".repeat(30).slice(0, length);

const meeting = (index) => ({
  id: `mtg_${index}`,
  title: `Weekly planning ${index}`,
  status: "completed",
  source: "zoom",
  start_time: TIME,
  duration: 1800 + index,
});
const room = (index) => ({
  id: `room_${index}`,
  title: `Team ${index}`,
  created_at: TIME,
  updated_at: TIME,
  meeting_count: 2,
  share_url: `https://app.example.com/rooms/${index}`,
  meetings: [meeting(2 * index), meeting(2 * index + 1)],
});
/** Polar's client is the other one that validates. */
const webhookEndpoint = (index) => ({
  created_at: TIME,
  modified_at: null,
  id: `whk_${index}`,
  url: `https://example.com/hooks/${index}`,
  name: `Hook ${index}`,
  format: "raw",
  secret: "a secret",
  organization_id: "org_1",
  events: ["checkout.created", "order.created"],
  enabled: true,
});

const BYTES = 1_400;

/** A response with as many items as fit into `BYTES`, and an unknown field that fills the rest. */
function answer(make, wrap) {
  let count = 1;
  while (JSON.stringify(wrap(times(count + 1, make))).length <= BYTES) count += 1;
  const body = wrap(times(count, make));
  if (Array.isArray(body)) return JSON.stringify(body);
  const missing = BYTES - JSON.stringify({ ...body, filler: "" }).length;
  return JSON.stringify(missing > 0 ? { ...body, filler: filler(missing) } : body);
}

const list = (data) => ({ object: "list", has_more: false, data });
const ANSWERS = {
  notetaker: answer(room, (data) => ({ data, next_cursor: null, has_more: false })),
  openai: answer(meeting, list),
  anthropic: answer(meeting, list),
  v1: answer(meeting, list),
  octokit: answer(meeting, (data) => data),
  polar: answer(webhookEndpoint, (items) => ({ items, pagination: { total_count: items.length, max_page: 1 } })),
  resend: answer(meeting, list),
  assemblyai: answer(meeting, (transcripts) => ({ page_details: { limit: 10, next_url: null }, transcripts })),
};

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const body = ANSWERS[request.url.split("/", 2)[1]];
  request.resume();
  response.writeHead(body === undefined ? 404 : 200, {
    "content-type": "application/json",
    "content-length": body?.length ?? 0,
  });
  response.end(body);
});
server.maxConnections = MAX_CONNECTIONS;
server.listen(0, "127.0.0.1", () => process.send?.(server.address().port));
process.on("disconnect", () => process.exit());
setTimeout(() => process.exit(1), LIFETIME_MS).unref();
