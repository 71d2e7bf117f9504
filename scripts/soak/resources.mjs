/** The resources of this process, and by how much they have grown. */
import { getEventListeners } from "node:events";
import { readdirSync } from "node:fs";
import { expect } from "./expect.mjs";

/**
 * By how much each value may grow during the measurement. A leak of one per call would be thousands. Sockets and timers
 * follow the number of calls in progress, which varies by about this much.
 */
const ALLOWED = { heapMiB: 3, files: 60, timers: 60, sockets: 60, listeners: 2 };

/** The current resources. `signal` is that of all calls. */
export function sampleResources(signal) {
  globalThis.gc?.();
  const resources = process.getActiveResourcesInfo();
  return {
    at: Date.now(),
    heapMiB: process.memoryUsage().heapUsed / 2 ** 20,
    files: process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0,
    timers: resources.filter((name) => name.includes("Timeout")).length,
    sockets: resources.filter((name) => name.includes("TCP")).length,
    listeners: getEventListeners(signal, "abort").length,
  };
}

/** The growth of a value from the first to the last sample, by a least-squares line, and half of its 95 % interval. */
function growthOf(points) {
  const count = points.length;
  if (count < 3) throw new Error(`${count} samples are too few: let the soak run for longer`);
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const mean = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const spreadX = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - mean), 0) / spreadX;
  const residual = points.reduce((sum, [x, y]) => sum + (y - mean - slope * (x - meanX)) ** 2, 0);
  const measured = points.at(-1)[0] - points[0][0];
  const error = 2 * Math.sqrt(residual / (count - 2) / spreadX);
  return { growth: slope * measured, error: error * measured, mean };
}

export function checkResources(samples, listenersAfter) {
  for (const [name, allowed] of Object.entries(ALLOWED)) {
    const { growth, error, mean } = growthOf(samples.map((one) => [one.at, one[name]]));
    const range = `${growth.toFixed(2)} ± ${error.toFixed(2)} (95 %) in ${samples.length} samples, mean ${mean.toFixed(1)}`;
    expect(`${name} grows by ${allowed} at most`, growth <= allowed, range);
  }
  expect("no listener is left", listenersAfter === 0, `${listenersAfter}`);
}
