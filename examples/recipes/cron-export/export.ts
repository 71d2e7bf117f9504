/**
 * A complete cron job: each run fetches new and changed content, and deletes
 * the files of meetings that no longer exist.
 */
import { Notetaker, syncMeetings } from "notetaker-sdk";
import { folderStore } from "notetaker-sdk/node";

await syncMeetings(new Notetaker(), {
  into: folderStore(process.argv[2] ?? "meetings"),
  prune: true,
});
