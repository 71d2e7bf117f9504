import type { Account } from "../account.js";
import type { FetchLike } from "../adapters/in-process.js";
import type { RecordedRequest } from "../http/requests.js";
import type { Service } from "../service.js";
import type { AccountRecord } from "../state/records.js";
import { type BotControls, botControls } from "./bots.js";
import { type FaultControls, faultControls } from "./faults.js";
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
export interface AccountControls extends EmulatorClientOptions {
  /** The options of a client for this account. Add your own: `{ ...service.clientOptions, maxRetries: 0 }`. */
  readonly clientOptions: EmulatorClientOptions;
  /** The newest requests since the start or the last reset, the oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** The account's switches, which a test can set: `service.account.usageLimitReached = true`. */
  readonly account: AccountRecord;
  /** The clock, which all accounts share. */
  readonly clock: ClockControls;
  /** Meetings and their next steps. */
  readonly meetings: MeetingControls;
  /** Bots and their next steps. */
  readonly bots: BotControls;
  /** Webhook deliveries. */
  readonly webhooks: WebhookControls;
  /** Simulated failures. */
  readonly faults: FaultControls;
}

/** The emulator's clock. */
export interface ClockControls {
  /** The emulator's time, in milliseconds since 1970. */
  now(): number;
  /**
   * Advances the time: rate-limit windows end, links expire, and bots, meetings and deliveries take the steps that are
   * due. All but the deliveries has happened when the method returns; the promise resolves when they have ended.
   */
  advance(ms: number): Promise<void>;
}

/** `scope` says whose requests are listed and can fail. */
export function accountControls(
  account: Account,
  service: Service,
  access: Pick<EmulatorClientOptions, "baseUrl" | "fetch">,
  scope: Account | "all accounts",
): AccountControls {
  return {
    ...access,
    get token() {
      return account.state.token;
    },
    get clientOptions() {
      return { ...access, token: account.state.token };
    },
    get requests() {
      return service.requestsOf(scope);
    },
    get account() {
      return account.state.account;
    },
    clock: {
      now: () => account.clock.now(),
      advance(ms) {
        account.clock.advance(ms);
        return service.settled();
      },
    },
    meetings: meetingControls(account),
    bots: botControls(account),
    webhooks: webhookControls(account),
    faults: faultControls(() => (scope === "all accounts" ? service : scope.state).faults),
  };
}
