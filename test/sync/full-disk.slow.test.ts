/** A disk that fails for good in the middle of a run. */
import { type StoreLock, syncMeetings } from "notetaker-sdk";
import { folderStore } from "notetaker-sdk/node";
import { expect, test } from "vitest";
import { type DiskFault, type FailingFiles, failingFiles } from "../node/support/failing-files.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { MINUTE, realWork, settle, simulatedTime } from "./support/simulated-time.js";
import { isTranscript, smallAccount } from "./support/small-service.js";

/** Lets no simulated time pass during the calls of these methods. */
function timeless<T extends object>(object: T, ...methods: (keyof T)[]): T {
  for (const name of methods) {
    const method = (object[name] as (...args: unknown[]) => Promise<object>).bind(object);
    const call = async (...args: unknown[]) => {
      realWork.calls += 1;
      try {
        const result = await method(...args);
        return typeof result === "object" && "release" in result ? timeless(result as StoreLock, "release") : result;
      } finally {
        realWork.calls -= 1;
      }
    };
    Object.assign(object, { [name]: call });
  }
  return object;
}

test.each<DiskFault>(["ENOSPC", "EACCES"])("a run into a folder rejects with %s, after ten minutes", async (fault) => {
  simulatedTime();
  const { service } = smallAccount("mtg_1", "mtg_2");
  const folder = temporaryFolder();
  let disk: FailingFiles | undefined;
  service.answer = (sent) => {
    if (isTranscript(sent)) disk ??= failingFiles(folder, fault, 1, true);
    return undefined;
  };
  const beganAt = Date.now();
  try {
    const into = timeless(folderStore(folder), "lock", "readState", "readMemory", "due", "ids", "write");
    const running = syncMeetings(service.notetaker, { into });
    await expect(settle(running, beganAt + 60 * MINUTE)).rejects.toThrow(fault);
  } finally {
    disk?.[Symbol.dispose]();
  }
  expect(Date.now() - beganAt).toBeLessThanOrEqual(11 * MINUTE);
});
