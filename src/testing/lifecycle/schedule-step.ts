import type { EmulatorContext } from "../state/context.js";
import type { TaskStep } from "../state/records.js";
import type { LifeTimes } from "../state/settings.js";

/** Schedules the next step of a record. With `life: "manual"` it does nothing, because the test triggers each step. */
export function scheduleStep(context: EmulatorContext, time: keyof LifeTimes, step: TaskStep, id: string): void {
  const { life } = context.settings;
  if (life !== "manual") context.clock.schedule(life[time], step, id);
}
