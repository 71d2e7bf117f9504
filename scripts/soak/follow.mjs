/**
 * `npm run soak -- follow`: the loop of docs/database.md in simulated time.
 *
 *   npm run build && npm run soak -- follow [--seed 1] [--days 30]
 *
 * An account of 2,000 meetings is followed for a month: half of them are there at the start, the others take place
 * during the month. Of the deliveries 5 % are lost, of the requests 1 % fail, the process is killed 20 times and stops
 * three times for a day. Prints each result, and fails if one check fails.
 */
import { parseArgs } from "node:util";
import { Notetaker, walkMeetings } from "notetaker-sdk";
import { aMeeting, createEmulator } from "notetaker-sdk/testing";
import { createReceiver } from "notetaker-sdk/webhooks";
import { endAfter, expect } from "./expect.mjs";
import { heapBehind } from "./follow-heap.mjs";
import { simulateTime } from "./simulated-time.mjs";

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "follow"),
  options: { seed: { type: "string", default: "1" }, days: { type: "string", default: "30" } },
});
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.parse("2026-03-02T09:00:00Z");
const days = Number(values.days);
const [PAST, NEW, KILLS, STOPS] = [1_000, 1_000, 20, 3];
const SECRET = "whsec_soak";

const realStart = process.hrtime.bigint();
// The first call loads modules, which takes real time.
const first = createEmulator();
await new Notetaker(first.clientOptions).meetings.upload(new Uint8Array(8), { contentType: "audio/wav" });
const time = simulateTime(START);

/** Random numbers from 0 to 1 that are the same for the same seed. */
let state = Number(values.seed) >>> 0;
const random = () => {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

const pastMeetings = Array.from({ length: PAST }, (_, index) =>
  aMeeting({ id: `mtg_past${index}`, start_time: new Date(START - (index + 1) * HOUR).toISOString() }),
);
const serviceWith = (meetings) =>
  createEmulator({
    seed: { meetings, webhooks: [{ url: "https://app.example.com/hook", secret: SECRET }] },
    ...{ now: () => Date.now(), life: "manual", limits: "none" },
  });

/** The content of an item, as a user would compare it. */
const contentOf = ({ meeting, transcript, documents, missing }) =>
  JSON.stringify([
    [meeting.status, meeting.title, meeting.start_time, meeting.documents],
    transcript !== undefined,
    documents.map(({ id, format }) => [id, format]).sort(),
    missing.filter(({ retryable }) => !retryable).map(({ what }) => what),
  ]);

/** A database, and the processes that keep it up to date, one after the other. */
function database(service, failureRate, pollMs = MINUTE) {
  const self = { stored: new Map(), unchanged: 0, items: 0, checkpoint: undefined, error: undefined };
  Object.assign(self, { onItem: () => {}, requests: 0, others: 0 });
  const fetch = async (...request) => {
    const fails = random() < failureRate;
    self.requests += 1;
    self.others += new URL(String(request[0]?.url ?? request[0])).pathname.endsWith("/meetings") ? 0 : 1;
    if (fails && random() < 0.5) return new Response(null, { status: 503 });
    // After a response that is lost, the request may have had its effect.
    const response = await service.fetch(...request);
    if (fails) throw new TypeError("fetch failed");
    return response;
  };
  let life;
  let receiver;
  // The signature is verified in another thread.
  const deliver = time.timeless(async (request) => receiver?.handle(request) ?? new Response(null, { status: 503 }));
  service.webhooks.deliverTo(deliver);
  self.kill = () => {
    life?.abort();
    receiver = undefined;
  };
  self.start = () => {
    life = new AbortController();
    const { signal } = life;
    receiver = createReceiver({ secrets: SECRET });
    const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: time.timeless(fetch) });
    const walk = walkMeetings(notetaker, {
      ...{ follow: true, pollMs, resume: self.checkpoint, wake: receiver.events({ signal }), signal },
      wants: ({ id }, { event }) => event || !self.stored.has(id),
      known: () => self.stored.keys(),
      onGone: (id) => void self.stored.delete(id),
      onIdle: (checkpoint) => {
        if (!signal.aborted) self.checkpoint = checkpoint;
      },
    });
    const run = async () => {
      for await (const { checkpoint, ...item } of walk) {
        if (signal.aborted) return;
        const content = contentOf(item);
        self.unchanged += self.stored.get(item.meeting.id) === content ? 1 : 0;
        self.items += 1;
        self.stored.set(item.meeting.id, content);
        self.checkpoint = checkpoint;
        self.onItem(item);
      }
    };
    run().catch((error) => {
      if (!signal.aborted) self.error = error;
    });
  };
  return self;
}

async function month() {
  const service = serviceWith(pastMeetings);
  const notetaker = new Notetaker({
    baseUrl: service.baseUrl,
    token: service.token,
    fetch: time.timeless(service.fetch),
  });
  // A poll each five minutes: a month takes minutes.
  const db = database(service, 0.01, 5 * MINUTE);
  const end = START + days * DAY;
  const plan = [];
  const at = (ms, act) => plan.push({ ms, act });
  const between = (from, to) => from + random() * (to - from);
  /** The service delivers what is due; it loses one delivery of twenty. */
  const tell = (step) => {
    if (random() < 0.05) service.webhooks.next({ lose: true });
    return step();
  };
  for (let count = 0; count < NEW; count += 1) {
    const ms = between(START + HOUR, end - 2 * DAY);
    at(ms, async () => {
      const upload = notetaker.meetings.upload(new Uint8Array(8), { contentType: "audio/wav", title: `New ${count}` });
      let id;
      upload.then((made) => {
        id = made.id;
      });
      await time.passUntil(ms + MINUTE, () => id !== undefined);
      if (id === undefined) throw new Error("the upload has no id");
      const ready = ms + between(MINUTE, 2 * HOUR);
      const summary = ready + between(MINUTE, 10 * HOUR);
      at(ready, () => void tell(() => service.meetings.transcribe(id)));
      at(summary, () => void tell(() => service.meetings.summarise(id)));
      const kind = random();
      if (kind < 0.1) at(summary + HOUR, () => Object.assign(service.meetings.get(id), { title: `Renamed ${count}` }));
      if (kind > 0.97) at(summary + HOUR, () => service.meetings.delete(id));
    });
  }
  for (let count = 0; count < KILLS; count += 1) {
    const ms = between(START, end - 2 * DAY);
    at(ms, () => db.kill());
    at(ms + MINUTE, () => db.start());
  }
  for (let count = 1; count <= STOPS; count += 1) {
    const ms = START + (count * days * DAY) / (STOPS + 1);
    at(ms, () => db.kill());
    // A kill during the stop starts nothing: the last start counts.
    at(ms + DAY, () => {
      db.kill();
      db.start();
    });
  }
  db.start();
  while (plan.length > 0) {
    plan.sort((one, other) => one.ms - other.ms);
    const { ms, act } = plan.shift();
    await time.passUntil(ms);
    await act();
    if (db.error !== undefined) throw db.error;
    // Retries of deliveries that are due.
    void service.clock.advance(0).catch(() => {});
  }
  await time.passUntil(end);
  db.kill();
  await time.passUntil(end + MINUTE);

  let wrong = 0;
  for (const record of service.meetings.list()) {
    const { id, status, transcript, title } = record;
    const stored = JSON.parse(db.stored.get(id) ?? "null");
    const holds =
      stored !== null &&
      stored[0][0] === status &&
      stored[0][1] === title &&
      stored[1] === (status === "completed" && transcript !== null) &&
      new Set(stored[2].map(([document]) => document)).size === record.documents.length;
    if (!holds && wrong < 5) console.log("wrong:", id, status, title, record.documents.length, db.stored.get(id));
    wrong += holds ? 0 : 1;
  }
  const ids = new Set(service.meetings.list().map(({ id }) => id));
  const extra = [...db.stored.keys()].filter((id) => !ids.has(id)).length;
  const { deliveries } = service.webhooks;
  const lost = deliveries.filter(({ state }) => state === "lost").length;
  console.log(
    `${days} days, ${ids.size} meetings, ${db.requests} requests, ${deliveries.length} deliveries ` +
      `(${lost} lost), ${KILLS} kills, ${STOPS} stops of a day, ${db.items} items`,
  );
  expect(
    "no meeting is missing or wrong in the end",
    wrong + extra === 0,
    `${wrong} missing or wrong, ${extra} too many`,
  );
  expect("no item is stored unchanged", db.unchanged === 0, `${db.unchanged}`);
}

/** A day on which nothing happens, and one event after it. */
async function quietDay() {
  const all = Array.from({ length: PAST + NEW }, (_, index) =>
    aMeeting({ id: `mtg_${index}`, start_time: new Date(Date.now() - 2 * DAY - index * (HOUR / 2)).toISOString() }),
  );
  const service = serviceWith(all);
  const db = database(service, 0);
  db.start();
  await time.passUntil(Date.now() + 10 * DAY, () => db.stored.size === all.length);
  await time.passUntil(Date.now() + HOUR);
  const before = { ...db };
  await time.passUntil(Date.now() + DAY);
  const quiet = db.requests - before.requests;
  const others = db.others - before.others;

  const notetaker = new Notetaker({
    baseUrl: service.baseUrl,
    token: service.token,
    fetch: time.timeless(service.fetch),
  });
  let count = 0;
  let pages = 0;
  const listing = (async () => {
    for await (const page of notetaker.meetings.list({ limit: 100 }).pages()) {
      pages += 1;
      count += page.data.length;
    }
  })();
  db.kill();
  await time.passUntil(Date.now() + MINUTE);
  await listing;
  const usual = pages * 24 * 60;
  expect(
    "a quiet poll is the pages of the list alone",
    others === 0 && quiet > 0 && quiet < usual / 4,
    `${quiet} requests in 24 hours; a loop that lists all ${count} meetings each minute: ${usual}`,
  );

  db.start();
  await time.passUntil(Date.now() + HOUR);
  const took = [];
  for (let event = 0; event < 20; event += 1) {
    const upload = notetaker.meetings.upload(new Uint8Array(8), { contentType: "audio/wav" });
    await time.passUntil(Date.now() + 10 * MINUTE + random() * MINUTE);
    const { id } = await upload;
    const sent = Date.now();
    let arrived = Number.POSITIVE_INFINITY;
    db.onItem = ({ meeting, transcript }) => {
      if (meeting.id === id && transcript) arrived = Math.min(arrived, Date.now());
    };
    // Its delivery is signed in another thread.
    await time.timeless(() => service.meetings.transcribe(id))();
    await time.passUntil(Date.now() + 10 * MINUTE, () => Number.isFinite(arrived));
    took.push(arrived - sent);
  }
  db.kill();
  const slowest = Math.max(...took);
  expect(
    "from a webhook to its item in less than 2 s",
    slowest < 2_000,
    `${slowest} ms at most, ${took.length} events`,
  );
}

await month();
await quietDay();
const [few, many] = [await heapBehind(200, time), await heapBehind(20_000, time)];
const grown = (many - few) / 2 ** 20;
expect(
  "the heap of a follower does not grow with the account",
  grown <= 5,
  `${grown.toFixed(2)} MiB more with 20,000 meetings behind it than with 200`,
);
const seconds = Number((process.hrtime.bigint() - realStart) / 1_000_000_000n);
endAfter(`${seconds} s`);
