/**
 * Bots for the calendar: sets the automation to MANUAL, shows the upcoming events, schedules a bot for each event whose
 * title contains a word, and cancels the bots of the others.
 *
 *   npx tsx examples/calendar-bots.ts [word]
 *
 * The interface defines setting the automation and cancelling a bot. The upcoming events and scheduling a bot are
 * @beta: the interface refers to them only. With NOTETAKER_BASE_URL and NOTETAKER_TOKEN set it changes the live
 * account, else the embedded emulator's.
 */
import { exampleClient } from "./support/client.js";

const [word = "call"] = process.argv.slice(2);
const notetaker = exampleClient();

const { automation } = await notetaker.settings.setNotetakerAutomation({ automation: "MANUAL" });
console.log(`automation: ${automation}`);

const events = await notetaker.meetings.upcoming();
for (const { id, title, bot_scheduled } of events) {
  const isWanted = String(title).toLowerCase().includes(word.toLowerCase());
  console.log(`${String(title)}: ${await setBot(id, isWanted, bot_scheduled)}`);
}
console.log(`${events.length} events`);

/** Calls only if something changes, or if the service does not say whether the event has a bot. */
async function setBot(eventId: string, isWanted: boolean, isScheduled: unknown): Promise<string> {
  if (isScheduled === isWanted) return isWanted ? "has a bot" : "no bot";
  const { meetings } = notetaker;
  const { status } = await (isWanted ? meetings.scheduleBot(eventId) : meetings.cancelBot(eventId));
  return status;
}
