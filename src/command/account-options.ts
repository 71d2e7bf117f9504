/** What a command that reads the account is told: its period, and the variables of the environment. */
import { isCalendarDate, parseTimestamp } from "../schemas/primitives.js";
import { type CommandContext, UsageError } from "./command.js";

/** A day as it was written, or a time as a `Date`. */
export function readSince(text: string | undefined): string | Date | undefined {
  if (text === undefined) return undefined;
  const day = text.slice(0, "YYYY-MM-DD".length);
  const ms = parseTimestamp(text);
  if (!isCalendarDate(day) || Number.isNaN(ms)) {
    throw new UsageError("--since: expected a day YYYY-MM-DD or an ISO 8601 time");
  }
  return text === day ? text : new Date(ms);
}

/** The variable, or the option in its place. */
export function requiredVariable(env: CommandContext["env"], name: string, value = env[name]): string {
  if (!value) throw new UsageError(`set ${name}`);
  return value;
}
