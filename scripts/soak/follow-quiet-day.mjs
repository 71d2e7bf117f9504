/** A day on which nothing happens, and some events after it. */
import { expect } from "./expect.mjs";
import { AUDIO, clientOf, DAY, HOUR, MINUTE, meetingsBefore, serviceWith } from "./followed-account.mjs";
import { database } from "./followed-database.mjs";

const MEETINGS = 2_000;
const EVENTS = 20;

export async function followQuietDay(time, random) {
  const service = serviceWith(meetingsBefore(Date.now() - 2 * DAY, HOUR / 2, MEETINGS));
  const notetaker = clientOf(service, time.timeless(service.fetch));
  const db = database({ service, time, random });
  db.start();
  await time.passUntil(Date.now() + 10 * DAY, () => db.rows.size === MEETINGS);
  await time.passUntil(Date.now() + HOUR);
  const before = { ...db };
  await time.passUntil(Date.now() + DAY);
  const quiet = db.requests - before.requests;
  const others = db.others - before.others;
  db.kill();
  const usual = (await pagesOf(notetaker, time)) * 24 * 60;
  expect(
    "a quiet poll is the pages of the list alone",
    others === 0 && quiet > 0 && quiet < usual / 4,
    `${quiet} requests in 24 hours; a loop that lists all ${MEETINGS} meetings each minute: ${usual}`,
  );

  db.start();
  await time.passUntil(Date.now() + HOUR);
  const took = [];
  for (let event = 0; event < EVENTS; event += 1) took.push(await msToItem({ service, notetaker, db, time, random }));
  db.kill();
  const slowest = Math.max(...took);
  expect("from a webhook to its item in less than 2 s", slowest < 2_000, `${slowest} ms at most, ${EVENTS} events`);
}

/** How many pages the list of all meetings has. */
async function pagesOf(notetaker, time) {
  let pages = 0;
  const listing = (async () => {
    for await (const _ of notetaker.meetings.list({ limit: 100 }).pages()) pages += 1;
  })();
  await time.passUntil(Date.now() + MINUTE);
  await listing;
  return pages;
}

/** The time from the event of a meeting to its item with the transcript. */
async function msToItem({ service, notetaker, db, time, random }) {
  const upload = notetaker.meetings.upload(...AUDIO);
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
  return arrived - sent;
}
