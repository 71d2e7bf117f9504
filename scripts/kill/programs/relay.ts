/** A relay with Redis: `GET` is a reader, and `POST ?number=7` publishes the event with this number. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { redisEventLog } from "notetaker-sdk/redis";
import { createRelay, toNodeListener } from "notetaker-sdk/webhooks";
import { createClient } from "redis";

const [redisUrl = ""] = process.argv.slice(2);
const redis = await createClient({ url: redisUrl })
  .on("error", () => {})
  .connect();
const log = redisEventLog(redis, { maxEvents: 2_000 });
const relay = createRelay({ authorize: () => true, log, retryMs: 50, onError: () => {} });

async function respond(request: Request): Promise<Response> {
  if (request.method === "GET") return relay.handle(request);
  const number = Number(new URL(request.url).searchParams.get("number"));
  await relay.publish({ kind: "meeting.transcript_ready", meetingId: `mtg_${number}`, payload: { number } });
  return new Response();
}

const server = createServer(toNodeListener(respond));
server.listen(0, "127.0.0.1", () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
});
