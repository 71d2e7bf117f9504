/** Test files share a worker. So after each file, its changes of time, globals and variables are undone. */
import { afterAll, expect, vi } from "vitest";

const NAMES = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate", "Date"];
const valuesNow = () => NAMES.map((name) => (globalThis as Record<string, unknown>)[name]);
const atTheBeginning = valuesNow();

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
  // Globals stubbed under fake timers are restored before the timers are, because they would restore fake functions.
  const replaced = NAMES.filter((_, index) => valuesNow()[index] !== atTheBeginning[index]);
  expect(replaced, "globals that this file leaves replaced").toEqual([]);
});
