/**
 * A complete cron job: each run fetches new and changed content, and deletes
 * the files of meetings that no longer exist.
 */
import { Notetaker } from "notetaker-sdk";
import { exportMeetings } from "notetaker-sdk/node";

await exportMeetings(new Notetaker(), {
  into: process.argv[2] ?? "meetings",
  skipExisting: true,
  prune: true,
});
