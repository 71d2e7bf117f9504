/** The process of the service (service.mjs), as the soak test sees it. Each wait for it has a time limit. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { within } from "./within.mjs";

/** How long a message of the other process may take on a busy machine. */
const ANSWER_MS = 60_000;
/** How long the last deliveries may take while none is completed. The retries of one take 71 seconds, at a speed of 60. */
const LAST_DELIVERIES_MS = 60_000;

export async function startService() {
  const service = fork(new URL("./service.mjs", import.meta.url));
  service.once("exit", (code, signal) => {
    console.error(`the service's process ended with ${signal ?? code}`);
    process.exit(1);
  });
  const message = async () => (await within(ANSWER_MS, once(service, "message"), () => "a message of the service"))[0];
  const { url } = await message();
  return {
    url,
    /** Waits until the service has no pending delivery, and returns what it has. */
    async settled() {
      let before = Number.POSITIVE_INFINITY;
      for (let lateAt = 0; ; await sleep(1_000)) {
        service.send("report");
        const report = await message();
        const pending = report.deliveries.filter(({ state }) => state === "pending");
        if (pending.length === 0) return report;
        // The service sends one delivery after the other. A long queue may take long, as long as it becomes shorter.
        if (pending.length < before) lateAt = Date.now() + LAST_DELIVERIES_MS;
        before = Math.min(before, pending.length);
        const figures = `${pending.length} of ${report.deliveries.length}, such as ${JSON.stringify(pending[0])}`;
        if (Date.now() > lateAt) throw new Error(`no delivery was completed in a minute; pending: ${figures}`);
      }
    },
  };
}
