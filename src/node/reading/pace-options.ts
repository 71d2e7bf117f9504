/** The schemas of the options that limit how fast the service is read. */
import * as z from "zod/mini";
import { custom, numberOf } from "../../schemas/primitives.js";
import type { ExportClock } from "./export-clock.js";

const isClock = (value: unknown) => {
  const { now, sleep } = (value ?? {}) as Partial<ExportClock>;
  return typeof now === "function" && typeof sleep === "function";
};

export const paceShape = {
  concurrency: z.optional(numberOf((value) => Number.isInteger(value) && value >= 1, "a whole number of at least 1")),
  requestsPerMinute: z.optional(numberOf((value) => value >= 1, "a number of at least 1")),
  clock: z.optional(custom<ExportClock>(isClock, "a clock with now() and sleep(ms, signal)")),
};
