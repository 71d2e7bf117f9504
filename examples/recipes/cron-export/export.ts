/** The whole code of a cron job: each run fetches what is new or has changed, and deletes what is gone. */
import { Notetaker } from "notetaker-sdk";
import { exportMeetings } from "notetaker-sdk/node";

await exportMeetings(new Notetaker(), { into: process.argv[2] ?? "meetings", skipExisting: true, prune: true });
