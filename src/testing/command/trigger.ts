/** `notetaker-emulator trigger`: sends a signed event to the user's own endpoint. */
import { readArguments, UsageError } from "../../command-line.js";
import { EVENT_KINDS } from "../../schemas/event.js";
import { idProblem } from "../../schemas/ids.js";
import { unknownName } from "../../schemas/unknown-name.js";
import { type EventAttempt, sendEvent } from "../send-event.js";

const OPTIONS = {
  to: { type: "string" },
  id: { type: "string" },
  allow: { type: "boolean", default: false },
} as const;

const SECRET = "NOTETAKER_WEBHOOK_SECRET";

const reportLine = ({ status, error, durationMs }: EventAttempt, nextDelayMs: number | undefined) => {
  const outcome = status === undefined ? `no response (${error})` : `status ${status}`;
  const next = nextDelayMs === undefined ? "" : `; next attempt in ${nextDelayMs / 1000} s`;
  return `${outcome} after ${durationMs} ms${next}`;
};

export async function trigger(args: string[]): Promise<void> {
  const { values, positionals } = readArguments(args, OPTIONS, true);
  const [kind, ...others] = positionals;
  if (kind === undefined || others.length > 0) throw new UsageError("trigger: expected one kind of event");
  if (!(EVENT_KINDS as readonly string[]).includes(kind)) {
    throw new UsageError(`trigger: ${kind}: ${unknownName(kind, EVENT_KINDS, "kind of event")}`);
  }
  if (values.to === undefined) throw new UsageError("trigger: --to is missing: the URL of your endpoint");
  if (values.id !== undefined && idProblem("meetingId", values.id) !== undefined) {
    throw new UsageError(`--id: ${idProblem("meetingId", values.id)}`);
  }
  const secret = process.env[SECRET];
  if (!secret) throw new UsageError(`trigger: set ${SECRET} to the secret of your webhook`);

  const controller = new AbortController();
  process.once("SIGINT", () => controller.abort(new UsageError("interrupted")));
  const { accepted, attempts } = await sendEvent(values.to, {
    kind,
    meetingId: values.id,
    secret,
    allow: values.allow,
    signal: controller.signal,
    onAttempt: (attempt, { nextDelayMs }) => console.log(reportLine(attempt, nextDelayMs)),
  });
  const times = attempts.length === 1 ? "1 attempt" : `${attempts.length} attempts`;
  console.log(accepted ? `accepted after ${times}` : `not accepted after ${times}`);
  if (!accepted) process.exitCode = 1;
}
