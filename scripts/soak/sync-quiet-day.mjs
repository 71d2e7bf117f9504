/** A day on which nothing happens, and some events after it. */
import { expect } from "./expect.mjs";
import { AUDIO, clientOf, DAY, HOUR, MINUTE, meetingsBefore, serviceWith } from "./simulated-account.mjs";
import { syncedAccount } from "./synced-account.mjs";

const MEETINGS = 2_000;
const EVENTS = 20;

export async function syncQuietDay(time, random, into) {
  const service = serviceWith(meetingsBefore(Date.now() - 5 * DAY, HOUR / 2, MEETINGS));
  const notetaker = clientOf(service, time.timeless(service.fetch));
  const account = syncedAccount({ service, time, random }, into);
  account.start();
  await time.passUntil(Date.now() + 10 * DAY, () => account.changes === MEETINGS);
  // After the daily pass that follows the history.
  await time.passUntil(Date.now() + DAY + HOUR);
  const before = { ...account };
  await time.passUntil(Date.now() + DAY);
  const quiet = account.requests - before.requests;
  const changes = account.changes - before.changes;
  expect(
    "a quiet day is a poll a minute and one pass over the list",
    account.others === before.others && changes === 0 && quiet <= 1_600,
    `${quiet} requests in 24 hours with ${MEETINGS} meetings, ${changes} meetings written`,
  );
  const took = [];
  for (let event = 0; event < EVENTS; event += 1)
    took.push(await msToChange({ service, notetaker, account, time, random }));
  account.kill();
  const slowest = Math.max(...took);
  expect("from an event to its row in less than 2 s", slowest < 2_000, `${slowest} ms at most, ${EVENTS} events`);
}

/** The time from the event of a meeting to its row with the transcript. */
async function msToChange({ service, notetaker, account, time, random }) {
  const upload = notetaker.meetings.upload(...AUDIO);
  await time.passUntil(Date.now() + 10 * MINUTE + random() * MINUTE);
  const { id } = await upload;
  const sent = Date.now();
  let arrived = Number.POSITIVE_INFINITY;
  account.onChange = (change) => {
    if (change.id === id && change.changed.includes("transcript")) arrived = Math.min(arrived, Date.now());
  };
  // Its delivery is signed in another thread.
  await time.timeless(() => service.meetings.transcribe(id))();
  await time.passUntil(Date.now() + 10 * MINUTE, () => Number.isFinite(arrived));
  return arrived - sent;
}
