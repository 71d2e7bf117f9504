/** The resources of this process, and by how much they have grown. */
import { getEventListeners } from "node:events";
import { readdirSync } from "node:fs";
import { expect } from "./expect.mjs";
import { growthOf } from "./growth.mjs";

/**
 * By how much each value may grow during the measurement. A leak of one per call would be thousands. Sockets and timers
 * follow the number of calls in progress, which varies by about this much.
 */
const ALLOWED = { heapMiB: 3, files: 60, timers: 60, sockets: 60, listeners: 2 };

/** The current resources. `signal` is that of all calls. */
export function sampleResources(signal) {
  // Bun has its own function. (In Node, `gc(true)` would collect only the young generation.)
  if (globalThis.Bun !== undefined) globalThis.Bun.gc(true);
  else globalThis.gc?.();
  const resources = process.getActiveResourcesInfo?.() ?? [];
  const count = (pattern) => resources.filter((name) => pattern.test(name)).length;
  return {
    at: Date.now(),
    heapMiB: process.memoryUsage().heapUsed / 2 ** 20,
    files: process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0,
    timers: count(/Timeout/),
    sockets: count(/TCP/),
    listeners: getEventListeners?.(signal, "abort").length ?? 0,
  };
}

export function checkResources(samples, listenersAfter) {
  for (const [name, allowed] of Object.entries(ALLOWED)) {
    const { growth, error, mean } = growthOf(samples.map((one) => [one.at, one[name]]));
    const range = `${growth.toFixed(2)} ± ${error.toFixed(2)} (95 %) in ${samples.length} samples, mean ${mean.toFixed(1)}`;
    expect(`${name} grows by ${allowed} at most`, growth <= allowed, range);
  }
  expect("no listener is left", listenersAfter === 0, `${listenersAfter}`);
}
