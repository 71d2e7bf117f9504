/**
 * From an event to the committed row, in real time on this machine: an emulator over HTTP, a receiver of its webhook over
 * HTTP, and Postgres.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { Notetaker, syncMeetings } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";
import { expect } from "./expect.mjs";
import { AUDIO, DAY, HOUR, MINUTE, meetingsBefore, SECRET } from "./simulated-account.mjs";
import { within } from "./within.mjs";

const EVENTS = 50;
const MAX_MS = 2_000;
/** Quiet: less than the requests of a minute. */
const GAP_MS = 5_000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export async function syncEvents(into) {
  const receiver = createReceiver({ secrets: SECRET });
  const server = createServer(toNodeListener(receiver.handle)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const hook = { url: `http://127.0.0.1:${server.address().port}/`, secret: SECRET };
  const service = createEmulator({
    seed: { meetings: meetingsBefore(Date.now() - DAY, HOUR, 20), webhooks: [hook] },
    ...{ now: () => Date.now(), stepTimes: "manual", limits: "none" },
  });
  const { url, close } = await service.listen({ port: 0 });
  const notetaker = new Notetaker({ baseUrl: url, token: service.token });
  const end = new AbortController();
  const stored = new Map();
  const store = into.open();
  let isIdle = false;
  const running = syncMeetings(notetaker, {
    ...{ into: store, follow: true, wake: receiver.events(), signal: end.signal },
    onProgress({ phase }) {
      isIdle ||= phase === "idle";
    },
    // Called after the transaction.
    onChange({ id, changed }) {
      if (changed.includes("transcript")) stored.set(id, performance.now());
    },
  });
  running.catch(() => {});
  while (!isIdle) await Promise.race([sleep(100), running]);

  const took = [];
  for (let event = 0; event < EVENTS; event += 1) {
    const { id } = await notetaker.meetings.upload(...AUDIO);
    await sleep(GAP_MS + Math.random() * 1_000);
    const began = performance.now();
    await service.meetings.transcribe(id);
    const arrival = async () => {
      while (!stored.has(id)) await Promise.race([sleep(5), running]);
    };
    await within(MINUTE, arrival(), () => `the row of ${id}`);
    took.push(stored.get(id) - began);
  }
  end.abort();
  await running.catch(() => {});
  await close();
  server.close();
  const rows = new Map((await into.rows()).map(({ id, text }) => [id, text]));
  const committed = [...stored.keys()].filter((id) => JSON.parse(rows.get(id) ?? "[]")[2] != null);
  took.sort((left, right) => left - right);
  const [median, slowest] = [took[EVENTS / 2], took[EVENTS - 1]].map(Math.round);
  expect(
    `from an event to its row with the transcript, committed in ${into.name}, in less than ${MAX_MS} ms`,
    slowest < MAX_MS && committed.length === stored.size,
    `median ${median} ms, ${slowest} ms at most, ${EVENTS} events`,
  );
}
