/**
 * Two processes of one application and one Redis: `npx tsx examples/several-processes/main.ts`.
 *
 * The emulator takes the place of the service. It delivers each event to both processes, as a load balancer and the
 * service's retries may do, but only one process handles it. Both processes send calls for the same account, and keep
 * its limits together. A reader that is connected to one process receives all events, whichever process has handled
 * them.
 *
 * The example needs redis-server on the PATH, or the variable `REDIS_URL`.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { aMeeting, aTranscript, createEmulator } from "notetaker-sdk/testing";
import { subscribe } from "notetaker-sdk/webhooks";
import { startRedis } from "./start-redis.js";

const SECRET = "whsec_of_the_example";
const MEETINGS = 12;

/** The address of a worker, once it listens. */
async function addressOf(worker: ChildProcess): Promise<string> {
  const [{ url }] = (await once(worker, "message")) as [{ url: string }];
  return url;
}

const redis = await startRedis();
const transcript = aTranscript({ lines: [["Ines", "Good morning."]] });
const meetings = Array.from({ length: MEETINGS }, (_, index) => aMeeting({ id: `mtg_${index + 1}`, transcript }));
const service = createEmulator({
  seed: { meetings, webhooks: [{ url: "https://app.example.com/hooks", secret: SECRET }] },
});
const { url: serviceUrl, close } = await service.listen({ port: 0 });

const workers = ["A", "B"].map((name) =>
  fork(fileURLToPath(new URL("./worker.ts", import.meta.url)), [name], {
    execArgv: ["--import", import.meta.resolve("tsx")],
    env: {
      ...process.env,
      REDIS_URL: redis.url,
      NOTETAKER_BASE_URL: serviceUrl,
      NOTETAKER_TOKEN: service.token,
      NOTETAKER_WEBHOOK_SECRET: SECRET,
    },
  }),
);
const urls = await Promise.all(workers.map(addressOf));

// A reader that is connected to the second process. It also receives the events that the first process has handled.
const stop = new AbortController();
const events = subscribe(`${urls[1]}events`, { signal: stop.signal });
const heard = new Set<string>();
const reading = (async () => {
  for await (const { meetingId } of events) {
    if (meetingId) heard.add(meetingId);
    if (heard.size === MEETINGS) return;
  }
})();
while (events.lastEventId === undefined) await new Promise((resolve) => setTimeout(resolve, 20));

// Sends every delivery to both processes at the same time, and again as long as the response is 503.
service.webhooks.deliverTo(async (request) => {
  const { headers } = request;
  const body = await request.arrayBuffer();
  const deliver = async (url: string) => {
    for (;;) {
      const response = await fetch(`${url}hooks`, { method: "POST", headers, body });
      if (response.status !== 503) return response;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const [response] = await Promise.all(urls.map(deliver));
  return response ?? new Response(null, { status: 500 });
});
for (let number = 1; number <= MEETINGS; number += 1) {
  await service.webhooks.send("meeting.transcript_ready", `mtg_${number}`);
}
await reading;
console.log(`The reader heard ${heard.size} of ${MEETINGS} events, each of them handled once.`);

stop.abort();
for (const worker of workers) {
  const exited = once(worker, "exit");
  worker.send("stop");
  await exited;
}
await close();
await redis.stop();
