/** The controls of one account. */
import type { FetchLike } from "../adapters/fetch.js";
import type { DeliveryQueue } from "../deliveries/delivery-queue.js";
import type { RecordedRequest } from "../http/recorded-request.js";
import type { EmulatorContext } from "../state/context.js";
import type { AccountRecord } from "../state/records.js";
import { type BotControls, botControls } from "./bots.js";
import type { ClockControls } from "./clock.js";
import type { FaultControls } from "./faults.js";
import { type MeetingControls, meetingControls } from "./meetings.js";
import { type WebhookControls, webhookControls } from "./webhooks.js";

/** The controls of one account of the emulator. */
export interface AccountControls {
  /** For a client's `baseUrl`; its host does not exist. */
  readonly baseUrl: string;
  /** For a client's `token`. */
  readonly token: string;
  /** Accepts the arguments of the global `fetch`, and never uses the network. */
  readonly fetch: FetchLike;
  /** The requests that arrived since the start or the last reset, the oldest first. The newest ones are kept. */
  readonly requests: readonly RecordedRequest[];
  /** The account's switches, to read and to set: `service.account.usageLimitReached = true`. */
  readonly account: AccountRecord;
  /** All accounts share one clock. */
  readonly clock: ClockControls;
  /** Reads meetings and takes their next steps. */
  readonly meetings: MeetingControls;
  /** Reads bots and takes their next steps. */
  readonly bots: BotControls;
  /** Reads, repeats and corrupts webhook deliveries. */
  readonly webhooks: WebhookControls;
  /** Plans faults. */
  readonly faults: FaultControls;
}

/** The controls that work on the state of an account. */
export function stateControls(context: EmulatorContext & { readonly events: DeliveryQueue }) {
  const settled = () => context.events.settled();
  return {
    meetings: meetingControls(context, settled),
    bots: botControls(context),
    webhooks: webhookControls(context, context.events),
  };
}
