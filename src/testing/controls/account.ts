/** The controls of one account. */
import type { FetchLike } from "../adapters/fetch.js";
import type { DeliveryQueue } from "../deliveries/delivery-queue.js";
import type { RecordedRequest } from "../http/requests.js";
import type { EmulatorContext } from "../state/context.js";
import type { AccountRecord } from "../state/records.js";
import { type BotControls, botControls } from "./bots.js";
import type { FaultControls } from "./faults.js";
import { type MeetingControls, meetingControls } from "./meetings.js";
import { type WebhookControls, webhookControls } from "./webhooks.js";

/** The options that connect a client to an account of the emulator: `new Notetaker(service.clientOptions)`. */
export interface EmulatorClientOptions {
  /** The base URL. Its host does not exist. */
  readonly baseUrl: string;
  /** The token of the account. */
  readonly token: string;
  /** The emulator as a `fetch`. It never uses the network. */
  readonly fetch: FetchLike;
}

/** The controls of one account of the emulator. */
export interface AccountControls {
  /**
   * The options of a client for this account: its `baseUrl`, `token` and `fetch`. Add your own:
   * `new Notetaker({ ...service.clientOptions, maxRetries: 0 })`.
   */
  readonly clientOptions: EmulatorClientOptions;
  /** The base URL, for a client's `baseUrl`. Its host does not exist. */
  readonly baseUrl: string;
  /** The token, for a client's `token`. */
  readonly token: string;
  /** The emulator as a `fetch`, for a client's `fetch`. It never uses the network. */
  readonly fetch: FetchLike;
  /**
   * The requests since the start or the last reset, the oldest first. If there are too many, the oldest are dropped.
   */
  readonly requests: readonly RecordedRequest[];
  /** The account's switches. A test can set them: `service.account.usageLimitReached = true`. */
  readonly account: AccountRecord;
  /** The clock, which all accounts share. */
  readonly clock: ClockControls;
  /** Reads meetings and takes their next steps. */
  readonly meetings: MeetingControls;
  /** Reads bots and takes their next steps. */
  readonly bots: BotControls;
  /** Reads, repeats and corrupts webhook deliveries. */
  readonly webhooks: WebhookControls;
  /** Plans simulated failures. */
  readonly faults: FaultControls;
}

/** The emulator's clock. */
export interface ClockControls {
  /** The emulator's time, in milliseconds since 1970. */
  now(): number;
  /**
   * Advances the time. Rate-limit windows end, links expire, and due steps of bots and meetings and due delivery
   * retries are run. Everything except the deliveries has happened when the method returns. The promise resolves when
   * the deliveries have ended, too.
   */
  advance(ms: number): Promise<void>;
}

/** The accounts of an emulator share one clock: it moves for all of them. */
export const clockControls = (
  accounts: readonly [EmulatorContext, ...EmulatorContext[]],
  settled: () => Promise<void>,
): ClockControls => ({
  now: () => accounts[0].clock.now(),
  advance(ms) {
    for (const { clock } of accounts) clock.advance(ms);
    return settled();
  },
});

/** The controls that read and change the state of an account. */
export function stateControls(context: EmulatorContext & { readonly events: DeliveryQueue }) {
  const settled = () => context.events.settled();
  return {
    meetings: meetingControls(context, settled),
    bots: botControls(context),
    webhooks: webhookControls(context, context.events),
  };
}
