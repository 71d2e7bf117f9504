/** The process of the service (service.mjs), as the soak test sees it. Each wait for it has a time limit. */
import { fork } from "node:child_process";
import { within } from "./within.mjs";

/** How long a message of the other process may take on a busy machine. */
const ANSWER_MS = 60_000;
/** How many facts and deliveries the other process may be behind. */
const MAX_BEHIND = 300;
/**
 * How long the last deliveries may take. Their retries take 71 seconds of the service's time, which is about a second
 * of real time; the handlers take some more.
 */
const LAST_DELIVERIES_MS = 60_000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export async function startService() {
  const service = fork(new URL("./service.mjs", import.meta.url));
  let isOver = false;
  const ended = new Promise((_, reject) => {
    service.once("exit", (code, signal) => {
      if (!isOver) reject(new Error(`the service's process ended with ${signal ?? code}`));
    });
  });
  ended.catch((error) => {
    console.error(error.message);
    process.exit(1);
  });

  /** The next message of the other process with this field. */
  function message(field) {
    const received = new Promise((resolve) => {
      service.on("message", function listen(one) {
        if (!(field in one)) return;
        service.off("message", listen);
        resolve(one);
      });
    });
    return within(ANSWER_MS, Promise.race([received, ended]), () => `the ${field} of the service's process`);
  }

  const backlog = backlogOf(service);
  const { url } = await message("url");
  return {
    url,
    note: backlog.note,
    caughtUp: backlog.caughtUp,
    settled: () =>
      settledReport(() => {
        service.send("report");
        return message("report");
      }),
    stop() {
      isOver = true;
      service.kill();
    },
  };
}

/** What the other process has not processed yet stays in memory, which may take long on a busy machine. */
function backlogOf(service) {
  let noted = 0;
  let progress = { facts: 0, pending: 0, delivered: 0 };
  /** When the wait for the other process fails. Any progress extends the time, because a busy machine may be slow. */
  let lateAt = 0;
  service.on("message", (one) => {
    if (!("progress" in one)) return;
    const { facts, delivered } = one.progress;
    if (facts > progress.facts || delivered > progress.delivered) lateAt = Date.now() + ANSWER_MS;
    progress = one.progress;
  });
  return {
    /** Facts about calls are stored in the other process, so that they do not count as memory of this process. */
    note(fact) {
      noted += 1;
      service.send(fact);
    },
    /** No new work starts while there are too many facts and deliveries behind. */
    async caughtUp() {
      lateAt = Math.max(lateAt, Date.now() + ANSWER_MS);
      while (noted - progress.facts > MAX_BEHIND || progress.pending > MAX_BEHIND) {
        if (Date.now() > lateAt) {
          const behind = `${noted - progress.facts} facts and ${progress.pending} deliveries behind`;
          throw new Error(`the service's process made no progress for ${ANSWER_MS / 1_000} s, and is ${behind}`);
        }
        await sleep(50);
      }
    },
  };
}

/** Waits until the service has no pending delivery, and returns its report. */
async function settledReport(askForReport) {
  const seconds = LAST_DELIVERIES_MS / 1_000;
  let lateAt = Date.now() + LAST_DELIVERIES_MS;
  let before = Number.POSITIVE_INFINITY;
  for (;;) {
    const { report } = await askForReport();
    const { deliveries } = report;
    const pending = deliveries.filter(({ state }) => state === "pending");
    if (pending.length === 0) return report;
    // The service sends one delivery after the other. A long queue may take long, as long as it becomes shorter.
    if (pending.length < before) lateAt = Date.now() + LAST_DELIVERIES_MS;
    before = Math.min(before, pending.length);
    const counts = `${pending.length} of ${deliveries.length} deliveries, such as ${JSON.stringify(pending[0])}`;
    if (Date.now() > lateAt) throw new Error(`no delivery was completed for ${seconds} s; pending: ${counts}`);
    await sleep(1_000);
  }
}
