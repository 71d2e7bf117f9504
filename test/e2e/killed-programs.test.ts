/** Programs that are killed, and a disk that fails: the short form of `npm run kill`. */
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

test("a killed export leaves whole files, and ends as an uninterrupted one", async () => {
  holds(await killExport(KILLS));
});

test("a killed saveRecording leaves the old file or the new one", async () => {
  holds(await killRecording(KILLS));
});

test.runIf(hasRedis)("a killed receiver loses no delivery, and repeats none that it answered", async () => {
  holds(await killReceiver(KILLS));
});

test.runIf(hasRedis)("a killed relay loses no event, and gives none twice", async () => {
  holds(await killRelay(KILLS));
});

test("a disk that fails leaves whole files, and an error with the path", async () => {
  holds(await failDisk({ step: 40 }));
});
