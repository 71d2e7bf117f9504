/**
 * A complete cron job: each run fetches what is new or changed, and deletes the
 * files of meetings that the service no longer has.
 */
import { Notetaker, syncMeetings } from "notetaker-sdk";
import { folderStore } from "notetaker-sdk/node";

const { meetings, changed, missing } = await syncMeetings(new Notetaker(), {
  into: folderStore(process.argv[2] ?? "meetings"),
  prune: true,
});
console.log(`${meetings} meetings read, ${changed} changed`);
for (const { title, what, message } of missing)
  console.warn(`${title}: no ${what}: ${message}`);
