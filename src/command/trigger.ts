/** `notetaker-sdk trigger`: sends a signed event to the user's own endpoint. */

import { unknownName } from "../checks/unknown-name.js";
import { EVENT_KINDS } from "../schemas/event.js";
import { idProblem } from "../schemas/ids.js";
import { type EventAttempt, endpointOf } from "../testing/deliveries/deliver-event.js";
import { sendEvent } from "../testing/send-event.js";
import { isKnownKind } from "../webhooks/event/event.js";
import { requiredSecret, SECRET } from "./account-options.js";
import { type Command, type CommandContext, parseFlags, UsageError } from "./command.js";

const OPTIONS = { to: { type: "string" }, id: { type: "string" }, allow: { type: "boolean", default: false } } as const;

const HELP = `npx notetaker-sdk trigger <kind> --to <url> [options]

Sends a signed event to your own endpoint and retries as the service does.

  --to <url>   the URL of your endpoint
  --id <id>    the id of the meeting  (default: mtg_1)
  --allow      sends to another host than this machine

The secret is read from ${SECRET}. The kinds are ${EVENT_KINDS.join(", ")}.
Exit code 0: accepted; 1: not accepted, or another host without --allow; 2: an argument is wrong.`;

export const reportLine = ({ status, error, durationMs }: EventAttempt, nextDelayMs: number | undefined) => {
  const outcome = status === undefined ? `no response (${error})` : `status ${status}`;
  const next = nextDelayMs === undefined ? "" : `; next attempt in ${nextDelayMs / 1000} s`;
  return `${outcome} after ${durationMs} ms${next}`;
};

export function endpointUrl(to: string | undefined): string {
  if (to === undefined) throw new UsageError("--to is missing: the URL of your endpoint");
  if (endpointOf(to) === undefined) throw new UsageError("--to: expected an http: or https: URL without credentials");
  return to;
}

async function run(args: string[], { env, stdout, signal }: CommandContext): Promise<number> {
  const { values, positionals } = parseFlags(args, OPTIONS, true);
  const [kind, ...others] = positionals;
  if (kind === undefined || others.length > 0) throw new UsageError("expected one kind of event");
  if (!isKnownKind(kind)) throw new UsageError(unknownName(kind, EVENT_KINDS, "kind of event"));
  const to = endpointUrl(values.to);
  if (values.id !== undefined && idProblem("meetingId", values.id) !== undefined) {
    throw new UsageError("--id: expected the id of a meeting: mtg_…");
  }
  const secret = requiredSecret(env);
  const { accepted, attempts } = await sendEvent(to, {
    kind,
    meetingId: values.id,
    secret,
    allow: values.allow,
    signal,
    onAttempt: (attempt, { nextDelayMs }) => stdout.write(`${reportLine(attempt, nextDelayMs)}\n`),
  });
  const times = attempts.length === 1 ? "1 attempt" : `${attempts.length} attempts`;
  stdout.write(`${accepted ? "" : "not "}accepted after ${times}\n`);
  return accepted ? 0 : 1;
}

export const trigger: Command = { help: HELP, run };
