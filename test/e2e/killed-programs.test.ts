/** Programs that are killed, and a disk that fails: a short run of `npm run kill`. */
import { expect, test } from "vitest";
import { failDisk } from "../../scripts/kill/fail-disk.js";
import type { Finding } from "../../scripts/kill/finding.js";
import { killExport } from "../../scripts/kill/kill-export.js";
import { killReceiver } from "../../scripts/kill/kill-receiver.js";
import { killRecording } from "../../scripts/kill/kill-recording.js";
import { killRelay } from "../../scripts/kill/kill-relay.js";
import { hasRedis } from "../redis/support/redis-server.js";

const KILLS = 5;

const holds = ({ differences, figures }: Finding) => expect(differences, figures).toEqual([]);

test("a killed export leaves no partial file, and the next run writes the same files as an uninterrupted export", async () => {
  holds(await killExport(KILLS));
});

test("a killed saveRecording leaves either the whole old file or the whole new one", async () => {
  holds(await killRecording(KILLS));
});

test.runIf(hasRedis)(
  "a killed receiver loses no delivery, and handles no delivery again that it has answered",
  async () => {
    holds(await killReceiver(KILLS));
  },
);

test.runIf(hasRedis)("a killed relay loses no event, and passes none on twice", async () => {
  holds(await killRelay(KILLS));
});

test("a failing disk leaves no partial file, and causes an error that names the path", async () => {
  holds(await failDisk({ step: 40 }));
});
