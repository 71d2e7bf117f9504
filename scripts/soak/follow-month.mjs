/** An account that is followed for a month in which much fails. */
import { expect } from "./expect.mjs";
import { AUDIO, clientOf, DAY, HOUR, MINUTE, meetingsBefore, serviceWith } from "./followed-account.mjs";
import { database } from "./followed-database.mjs";

const [PAST, NEW, KILLS, STOPS] = [1_000, 1_000, 20, 3];

/** What happens, each at its time. */
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
function planMeetings({ at }, { service, notetaker, time, random }, start, end) {
  const between = (from, to) => from + random() * (to - from);
  /** The service delivers what is due; it loses one delivery of twenty. */
  const tell = (step) => {
    if (random() < 0.05) service.webhooks.next({ lose: true });
    return step();
  };
  for (let count = 0; count < NEW; count += 1) {
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

function planKills({ at }, db, random, start, end) {
  for (let count = 0; count < KILLS; count += 1) {
    const ms = start + random() * (end - 2 * DAY - start);
    at(ms, () => db.kill());
    at(ms + MINUTE, () => db.start());
  }
  for (let count = 1; count <= STOPS; count += 1) {
    const ms = start + (count * (end - start)) / (STOPS + 1);
    at(ms, () => db.kill());
    // A kill during the stop starts nothing: the last start counts.
    at(ms + DAY, () => {
      db.kill();
      db.start();
    });
  }
}

/** What the database should have of each meeting in the end, as the service has it. */
async function expectedRows(service, notetaker) {
  const rows = new Map();
  for (const { id, status, title, transcript, documents } of service.meetings.list()) {
    const texts = [];
    for (const document of documents) {
      const { title, content } = await notetaker.documents.get(document, { format: "markdown" });
      texts.push([document, { title, content }]);
    }
    const isReady = status === "completed" && transcript !== null;
    const text = isReady ? JSON.stringify(await notetaker.meetings.getTranscript(id)) : null;
    rows.set(id, JSON.stringify([status, title, text, texts.sort()]));
  }
  return rows;
}

const comparable = ({ status, title, transcript, documents }) =>
  JSON.stringify([status, title, transcript, Object.entries(documents).sort()]);

export async function followMonth(time, random, start, days) {
  const service = serviceWith(meetingsBefore(start - HOUR, HOUR, PAST));
  const notetaker = clientOf(service, time.timeless(service.fetch));
  // A poll each five minutes: a month takes minutes.
  const db = database({ service, time, random }, { failureRate: 0.01, pollMs: 5 * MINUTE });
  const end = start + days * DAY;
  const plan = planOf();
  planMeetings(plan, { service, notetaker, time, random }, start, end);
  planKills(plan, db, random, start, end);
  db.start();
  for (let step = plan.next(); step !== undefined; step = plan.next()) {
    await time.passUntil(step.ms);
    await step.act();
    if (db.error !== undefined) throw db.error;
    // Retries of deliveries that are due.
    void service.clock.advance(0).catch(() => {});
  }
  await time.passUntil(end);
  db.kill();
  await time.passUntil(end + MINUTE);

  const expected = await expectedRows(service, notetaker);
  const wrong = [...expected].filter(([id, row]) => !db.rows.has(id) || comparable(db.rows.get(id)) !== row);
  for (const [id, row] of wrong.slice(0, 5)) console.log("wrong:", id, row, db.rows.get(id));
  const extra = [...db.rows.keys()].filter((id) => !expected.has(id)).length;
  const { deliveries } = service.webhooks;
  const lost = deliveries.filter(({ state }) => state === "lost").length;
  console.log(
    `${days} days, ${expected.size} meetings, ${db.requests} requests, ${deliveries.length} deliveries ` +
      `(${lost} lost), ${KILLS} kills, ${STOPS} stops of a day, ${db.items} items`,
  );
  expect(
    "no meeting is missing or wrong in the end, transcripts and documents included",
    wrong.length + extra === 0,
    `${wrong.length} missing or wrong, ${extra} too many`,
  );
  expect("no item is stored unchanged", db.unchanged === 0, `${db.unchanged}`);
}
