/** `notetaker-sdk listen`: sends the events of the live account to the user's own endpoint. */
import { ASSUMED_DOCUMENT_TITLES } from "../assumptions.js";
import { DAY_MS } from "../async/timers.js";
import { Notetaker } from "../client.js";
import { newestDocument, titleMatcher } from "../documents/find-document.js";
import { UnauthorizedError } from "../errors/api-error.js";
import { oneLine } from "../errors/one-line.js";
import { textOf } from "../json/text-of.js";
import { EVENT_KINDS, type KnownEventKind } from "../schemas/event.js";
import type { Meeting } from "../schemas/meeting.js";
import { memoryStore } from "../sync/memory-store.js";
import type { MeetingChange } from "../sync/store.js";
import { syncMeetings } from "../sync/sync-meetings.js";
import { eventBody } from "../testing/deliveries/attempt-delivery.js";
import { deliverEvent, type EventAttempt, type NextAttempt, ownEndpoint } from "../testing/deliveries/deliver-event.js";
import { readMoment, requiredBaseUrl, requiredSecret, requiredVariable, SECRET } from "./account-options.js";
import { type Command, type CommandContext, parseFlags, readNumber, UsageError } from "./command.js";
import { endpointUrl, reportLine } from "./trigger.js";

const OPTIONS = {
  to: { type: "string" },
  since: { type: "string" },
  poll: { type: "string", default: "15" },
  allow: { type: "boolean", default: false },
  "base-url": { type: "string" },
} as const;

const HELP = `npx notetaker-sdk listen --to <url> [options]

Polls your account, and sends its events to your own endpoint, signed: no public address is needed, and no webhook at
the service. A meeting with its first transcript is meeting.transcript_ready, with its first summary
meeting.initial_summary_ready. It first reads the meetings of the last three days: what is ready then is not sent.
Retries are as by the service.

  --to <url>        the URL of your endpoint
  --since <date>    sends what is ready of the meetings that began on this day (YYYY-MM-DD) or at this time, or later
  --poll <seconds>  the time between two polls, from 5 up       (default: 15)
  --allow           sends to another host than this machine
  --base-url <url>  the service's base URL, ending in /v1       (default: NOTETAKER_BASE_URL)

The token is read from NOTETAKER_TOKEN, the secret from ${SECRET}. Ctrl-C ends it.
Exit code 0: it was ended; 1: it failed, or another host without --allow; 2: an argument is wrong, a variable is
missing, or the service refuses the token.`;

const MAX_DELIVERIES = 20;
/** How far back it reads before it announces anything. */
const READ_FIRST_MS = 3 * DAY_MS;

const isSummary = titleMatcher("listen", "summary", ASSUMED_DOCUMENT_TITLES);

const IS_READY: Readonly<Record<KnownEventKind, (change: MeetingChange, meeting: Meeting) => boolean>> = {
  "meeting.transcript_ready": ({ changed }) => changed.includes("transcript"),
  "meeting.initial_summary_ready": (_change, meeting) => newestDocument(meeting, isSummary) !== undefined,
};

async function run(args: string[], { env, stdout, stderr, signal }: CommandContext): Promise<number> {
  const { values } = parseFlags(args, OPTIONS);
  const to = endpointUrl(values.to);
  const since = readMoment("since", values.since);
  const poll = readNumber("poll", values.poll, (value) => value >= 5 && value <= 3_600, "seconds from 5 to 3600");
  const secret = requiredSecret(env);
  const token = requiredVariable(env, "NOTETAKER_TOKEN");
  const baseUrl = requiredBaseUrl(env, values["base-url"]);
  const url = ownEndpoint("listen", to, values.allow);
  const warn = (line: string) => stderr.write(`notetaker-sdk listen: ${oneLine(line)}\n`);
  const notetaker = new Notetaker({
    token,
    baseUrl,
    onRetry: ({ error, delayMs }) => warn(`${error.message}; next attempt in ${Math.ceil(delayMs / 1_000)} s`),
  });
  const deliver = async (meeting: Meeting, kinds: readonly KnownEventKind[]) => {
    for (const kind of kinds) {
      const onAttempt = (attempt: EventAttempt, { nextDelayMs }: NextAttempt) =>
        stdout.write(`${kind} ${meeting.id}: ${reportLine(attempt, nextDelayMs)}\n`);
      await deliverEvent(url, eventBody(kind, meeting), { secret, signal, onAttempt });
    }
  };
  /** The events that were sent, or need not be: kind and id of the meeting. */
  const announced = new Set<string>();
  const deliveries = new Set<Promise<void>>();
  /** What is ready at the start is only remembered, unless `--since` asks for it. */
  let isQuiet = since === undefined;
  const announce = async (change: MeetingChange) => {
    const { meeting } = change;
    if (meeting === undefined) return;
    const isNew = (kind: KnownEventKind) => !announced.has(`${kind} ${meeting.id}`) && IS_READY[kind](change, meeting);
    const kinds = EVENT_KINDS.filter(isNew);
    for (const kind of kinds) announced.add(`${kind} ${meeting.id}`);
    if (isQuiet || kinds.length === 0) return;
    // An endpoint that does not respond must not hold up the events of other meetings.
    const delivery = deliver(meeting, kinds)
      .catch((error: unknown) => void (signal.aborted || warn(textOf(error))))
      .finally(() => deliveries.delete(delivery));
    deliveries.add(delivery);
    if (deliveries.size >= MAX_DELIVERIES) await Promise.race(deliveries);
  };
  if (isQuiet) stderr.write("reading the meetings of the last three days\n");
  try {
    await syncMeetings(notetaker, {
      into: memoryStore(),
      follow: true,
      since: since ?? new Date(Date.now() - READ_FIRST_MS),
      formats: { documents: [] },
      pollMs: poll * 1_000,
      signal,
      onChange: announce,
      onProgress({ phase }) {
        if (phase !== "idle" || !isQuiet) return;
        isQuiet = false;
        stderr.write(`polling every ${poll} s; Ctrl-C ends it\n`);
      },
    });
  } catch (error) {
    if (signal.aborted) return 0;
    if (error instanceof UnauthorizedError) throw new UsageError("the service refuses NOTETAKER_TOKEN (401)");
    throw error;
  }
  return 0;
}

export const listen: Command = { help: HELP, run };
