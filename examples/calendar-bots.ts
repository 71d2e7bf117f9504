/**
 * Bots for the calendar: sets the automation to MANUAL, lists the upcoming events, schedules a bot for each event whose
 * title contains a word, and cancels the bots of the other events.
 *
 *   npx tsx examples/calendar-bots.ts [word]
 *
 * Listing the upcoming events and scheduling a bot are @beta, because the API specification mentions these operations
 * but does not define them. It defines setting the automation and cancelling a bot. With NOTETAKER_BASE_URL and
 * NOTETAKER_TOKEN set, the program changes the live account; otherwise it changes the account of the embedded emulator.
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

/** Sends a request only if the bot has to change, or if the service does not say whether the event has a bot. */
async function setBot(eventId: string, isWanted: boolean, isScheduled: unknown): Promise<string> {
  if (isScheduled === isWanted) return isWanted ? "has a bot" : "no bot";
  const { meetings } = notetaker;
  const { status } = await (isWanted ? meetings.scheduleBot(eventId) : meetings.cancelBot(eventId));
  return status;
}
