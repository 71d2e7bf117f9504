/** A disk that fails for good in the middle of a run. */
import { syncMeetings } from "notetaker-sdk";
import { folderStore } from "notetaker-sdk/node";
import { expect, test } from "vitest";
import { type DiskFault, type FailingFiles, failingFiles } from "../node/support/failing-files.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { MINUTE, settle, simulatedTime, timeless } from "./support/simulated-time.js";
import { isTranscript, smallAccount } from "./support/small-service.js";

test.each<DiskFault>(["ENOSPC", "EACCES"])("a run into a folder rejects with %s, after ten minutes", async (fault) => {
  simulatedTime();
  const { service } = smallAccount("mtg_1", "mtg_2");
  const folder = temporaryFolder();
  let disk: FailingFiles | undefined;
  service.answer = (sent) => {
    if (isTranscript(sent)) disk ??= failingFiles(folder, fault, 1, { times: Number.POSITIVE_INFINITY });
    return undefined;
  };
  const beganAt = Date.now();
  try {
    const running = syncMeetings(service.notetaker, { into: timeless(folderStore(folder)) });
    await expect(settle(running, beganAt + 60 * MINUTE)).rejects.toThrow(fault);
  } finally {
    disk?.[Symbol.dispose]();
  }
  expect(Date.now() - beganAt).toBeLessThanOrEqual(11 * MINUTE);
});
