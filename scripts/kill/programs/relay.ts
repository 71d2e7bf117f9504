/**
 * Runs two relays with Redis in one process. The log of `/` keeps all events; the log of `/short` keeps so few that its
 * readers fall behind.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { redisEventLog } from "notetaker-sdk/redis";
import { createRelay, toNodeListener } from "notetaker-sdk/webhooks";
import { createClient } from "redis";

const [redisUrl = ""] = process.argv.slice(2);
const redis = await createClient({ url: redisUrl })
  .on("error", () => {})
  .connect();
const relayOf = (prefix: string, maxEvents: number) =>
  createRelay({
    authorize: () => true,
    log: redisEventLog(redis, { prefix, maxEvents }),
    retryMs: 50,
    onError: () => {},
  });
const whole = relayOf("whole:", 1_000_000);
const short = relayOf("short:", 5);

/** `GET` is a reader. `POST ?number=7` publishes the event with this number, and responds when it is in both logs. */
async function respond(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  if (request.method === "GET") return (pathname === "/short" ? short : whole).handle(request);
  const number = Number(searchParams.get("number"));
  for (const relay of [whole, short]) {
    await relay.publish({ kind: "meeting.transcript_ready", meetingId: `mtg_${number}`, payload: { number } });
  }
  return new Response();
}

const server = createServer(toNodeListener(respond));
server.listen(0, "127.0.0.1", () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
