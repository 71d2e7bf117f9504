import * as z from "zod/mini";
import type { IssueCode } from "../../checks/issue-code.js";
import { ConfigurationError, InvalidArgumentError } from "../../errors/argument-errors.js";
import { checkArgument } from "../../errors/check-arguments.js";
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import { custom, nonEmptyString } from "../../schemas/primitives.js";
import { MAX_EVENT_BYTES, type WebhookEvent } from "../event/event.js";
import type { EventLog } from "./event-log.js";
import { eventJson, ID_IN_HEADER } from "./event-stream-format.js";

/** Options of `relay.publish`. */
export interface PublishOptions {
  /**
   * Who receives the event: one audience or several. Leave the option out to publish to every authorized connection. An
   * `audience` that is `undefined`, `null`, `""` or `[]` is refused: a missing id must not become a broadcast.
   */
  audience?: string | readonly string[];
}

const publishOptionsSchema = z.strictObject({ audience: z.optional(z.unknown()) });

const publishedSchema = z.object({
  event: z.object({
    kind: nonEmptyString(),
    meetingId: z.optional(z.string()),
    payload: custom(isRecord, "an object"),
  }),
});

/** The log gets a copy. What JSON cannot hold, or is too large, is refused: each reader of the log would fail. */
export async function publish(log: EventLog, event: WebhookEvent, options: PublishOptions = {}): Promise<string> {
  checkArgument("relay.publish", publishOptionsSchema, options);
  const audience = audienceIn(options);
  const json = toJson(event);
  const copy = parseJson(json);
  checkArgument("relay.publish", publishedSchema, { event: copy });
  const size = new TextEncoder().encode(json).byteLength;
  if (size > MAX_EVENT_BYTES) {
    throw publishError("event", `expected at most ${MAX_EVENT_BYTES} bytes, which subscribe reads, received ${size}`);
  }
  const id = await log.append(copy as WebhookEvent, audience);
  if (!ID_IN_HEADER.test(id)) throw new ConfigurationError({ message: WRONG_ID });
  return id;
}

const WRONG_ID =
  "relay.publish: the log must return an id of 1 to 8,000 printable ASCII characters: a page sends it in a header to resume";

const publishError = (path: string, message: string, code?: IssueCode) =>
  new InvalidArgumentError({ operation: "relay.publish", issues: [{ path, message, ...(code && { code }) }] });

function audienceIn(options: PublishOptions): readonly string[] | undefined {
  // Not a check of the schema: for a schema, an option that is `undefined` is the same as one that is missing.
  if (!("audience" in options)) return undefined;
  const audience: unknown = options.audience;
  const names: readonly unknown[] = Array.isArray(audience) ? [...audience] : [audience];
  if (names.length > 0 && names.every((name) => typeof name === "string" && name !== "")) return names as string[];
  throw publishError(
    "audience",
    "expected a name or a list of names; to reach everybody, leave the option out",
    "wrong_type",
  );
}

function toJson(event: WebhookEvent): string {
  try {
    return eventJson(event);
  } catch {
    // The runtime's error may quote the event's content, so it stays out of the message.
    throw publishError("event", "expected an event that JSON can hold: no BigInt, no cycle, nothing that throws");
  }
}
