/** Tests share a worker. So after each test, its changes of time, globals and variables are undone. */
import { afterAll, afterEach, expect, vi } from "vitest";

const NAMES = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate", "Date"];
const valuesNow = () => NAMES.map((name) => (globalThis as Record<string, unknown>)[name]);
const atTheBeginning = valuesNow();

function cleanUp() {
  vi.restoreAllMocks();
  // Globals stubbed under fake timers are restored before the timers are, because they would restore fake functions.
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
}

afterEach(cleanUp);
afterAll(() => {
  cleanUp();
  const replaced = NAMES.filter((_, index) => valuesNow()[index] !== atTheBeginning[index]);
  expect(replaced, "globals that this file leaves replaced").toEqual([]);
});
