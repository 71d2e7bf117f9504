/** What a command is told: its period, and the variables of the environment. */
import { isCalendarDate, parseTimestamp } from "../schemas/primitives.js";
import { checkedSecret } from "../webhooks/receive/webhook-secret.js";
import { type CommandContext, UsageError } from "./command.js";

/** The variable with the secret of the user's webhook endpoint. */
export const SECRET = "NOTETAKER_WEBHOOK_SECRET";

/** A day as it was written, or a time as a `Date`. */
export function readMoment(flag: string, text: string | undefined): string | Date | undefined {
  if (text === undefined) return undefined;
  const day = text.slice(0, "YYYY-MM-DD".length);
  const ms = parseTimestamp(text);
  if (!isCalendarDate(day) || Number.isNaN(ms)) {
    throw new UsageError(`--${flag}: expected a day YYYY-MM-DD or an ISO 8601 time`);
  }
  return text === day ? text : new Date(ms);
}

export function requiredVariable(env: CommandContext["env"], name: string): string {
  const value = env[name];
  if (!value) throw new UsageError(`set ${name}`);
  return value;
}

export const requiredSecret = (env: CommandContext["env"]): string =>
  checkedSecret(SECRET, requiredVariable(env, SECRET));

export function requiredBaseUrl(env: CommandContext["env"], option: string | undefined): string {
  const value = option ?? env.NOTETAKER_BASE_URL;
  if (!value) throw new UsageError("set NOTETAKER_BASE_URL, or give --base-url");
  return value;
}
