/**
 * Bots for the calendar: sets the automation to MANUAL, shows the upcoming events, schedules a bot for each that a word
 * of its title asks for, and cancels the others.
 *
 *   npx tsx examples/calendar-bots.ts [word]
 *
 * The interface defines setting the automation and cancelling a bot. The upcoming events and scheduling a bot are
 * @beta: the interface refers to them only. With NOTETAKER_BASE_URL and NOTETAKER_TOKEN set it changes the live
 * account, else the embedded emulator's.
 */
import { exampleClient } from "./support/client.js";

const [word = "review"] = process.argv.slice(2);
const notetaker = exampleClient();

const { automation } = await notetaker.settings.setNotetakerAutomation({ automation: "MANUAL" });
console.log(`automation: ${automation}`);

const events = await notetaker.meetings.upcoming();
for (const { id, title } of events) {
  const isWanted = String(title).toLowerCase().includes(word.toLowerCase());
  const { status } = isWanted ? await notetaker.meetings.scheduleBot(id) : await notetaker.meetings.cancelBot(id);
  console.log(`${String(title)}: ${status}`);
}
console.log(`${events.length} events`);
