/** An account that is followed for a month in which much fails, into one store. */
import { expect } from "./expect.mjs";
import { AUDIO, clientOf, DAY, HOUR, MINUTE, meetingsBefore, serviceWith } from "./simulated-account.mjs";
import { syncedAccount } from "./synced-account.mjs";
import { comparable } from "./synced-stores.mjs";

const [KILLS, STOPS] = [20, 3];

function planOf() {
  const plan = [];
  return {
    at: (ms, act) => plan.push({ ms, act }),
    next() {
      plan.sort((one, other) => one.ms - other.ms);
      return plan.shift();
    },
  };
}

/** The new meetings: each is uploaded, transcribed and summarised; some are renamed or deleted after that. */
function planMeetings({ at }, { service, notetaker, time, random, count: total }, start, end) {
  const between = (from, to) => from + random() * (to - from);
  /** The service delivers what is due; it loses one delivery of twenty. */
  const tell = (step) => {
    if (random() < 0.05) service.webhooks.next({ lose: true });
    return step();
  };
  for (let count = 0; count < total; count += 1) {
    const ms = between(start + HOUR, end - 2 * DAY);
    at(ms, async () => {
      const [audio, options] = AUDIO;
      const upload = notetaker.meetings.upload(audio, { ...options, title: `New ${count}` });
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
}

function planKills({ at }, account, random, start, end) {
  const stops = Array.from({ length: STOPS }, (_, count) => start + ((count + 1) * (end - start)) / (STOPS + 1));
  for (const ms of stops) {
    at(ms, () => account.kill());
    at(ms + DAY, () => account.start());
  }
  for (let count = 0; count < KILLS; ) {
    const ms = start + random() * (end - 2 * DAY - start);
    if (stops.some((stop) => ms + MINUTE >= stop && ms <= stop + DAY)) continue;
    at(ms, () => account.kill());
    at(ms + MINUTE, () => account.start());
    count += 1;
  }
}

/** What the store should have of each meeting in the end, as the service has it. */
async function expectedRows(service, notetaker) {
  const rows = new Map();
  for (const { id, status, title, transcript, documents } of service.meetings.list()) {
    const texts = [];
    for (const document of documents) {
      const { title, content } = await notetaker.documents.get(document, { format: "markdown" });
      texts.push([document, title, content]);
    }
    const isReady = status === "completed" && transcript !== null;
    const read = isReady ? await notetaker.meetings.getTranscript(id) : null;
    rows.set(id, comparable(status, title, read, texts));
  }
  return rows;
}

/** Half of the `meetings` are there at the start, the others take place during the month. */
export async function syncMonth(time, random, { into, days, meetings }) {
  const start = Date.now();
  const service = serviceWith(meetingsBefore(start - HOUR, HOUR, meetings / 2));
  const notetaker = clientOf(service, time.timeless(service.fetch));
  // A poll each five minutes: a month takes minutes.
  const account = syncedAccount({ service, time, random }, into, { failureRate: 0.01, pollMs: 5 * MINUTE });
  const end = start + days * DAY;
  const plan = planOf();
  planMeetings(plan, { service, notetaker, time, random, count: meetings / 2 }, start, end);
  planKills(plan, account, random, start, end);
  account.start();
  for (let step = plan.next(); step !== undefined; step = plan.next()) {
    await time.passUntil(step.ms);
    await step.act();
    if (account.error !== undefined) throw account.error;
    // Retries of deliveries that are due.
    void service.clock.advance(0).catch(() => {});
  }
  // What failed at the end is due again, and a daily pass has found what is gone.
  await time.passUntil(end + 2 * DAY);
  account.kill();
  await time.passUntil(end + 2 * DAY + MINUTE);

  const expected = await expectedRows(service, notetaker);
  const rows = await into.rows();
  const present = new Map(rows.filter(({ isGone }) => !isGone).map(({ id, text }) => [id, text]));
  const missing = [...expected.keys()].filter((id) => !present.has(id));
  const wrong = [...expected].filter(([id, text]) => present.has(id) && present.get(id) !== text);
  // Gone meetings stay, as gone.
  const doubled = rows.length - new Set(rows.map(({ id }) => id)).size;
  const extra = [...present.keys()].filter((id) => !expected.has(id)).length;
  for (const [id, text] of wrong.slice(0, 3)) console.log("wrong:", id, text, present.get(id));
  const { deliveries } = service.webhooks;
  const lost = deliveries.filter(({ state }) => state === "lost").length;
  console.log(
    `${into.name}: ${days} days, ${expected.size} meetings, ${account.requests} requests, ${deliveries.length} deliveries ` +
      `(${lost} lost), ${KILLS} kills, ${STOPS} stops of a day, ${account.changes} changes`,
  );
  expect(
    `${into.name}: in the end no meeting is missing, wrong or doubled, transcripts and documents included`,
    missing.length + wrong.length + doubled + extra === 0,
    `${missing.length}, ${wrong.length}, ${doubled} (${extra} that should be gone)`,
  );
}
