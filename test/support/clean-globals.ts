/** Test files share a worker: whatever one of them did to time, globals and variables ends with it. */
import { afterAll, expect, vi } from "vitest";

const NAMES = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate", "Date"];
const valuesNow = () => NAMES.map((name) => (globalThis as Record<string, unknown>)[name]);
const atTheBeginning = valuesNow();

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
  // A stub that is made under fake timers has to go before they do: what it puts back is a fake.
  const replaced = NAMES.filter((_, index) => valuesNow()[index] !== atTheBeginning[index]);
  expect(replaced, "globals that this file leaves replaced").toEqual([]);
});
