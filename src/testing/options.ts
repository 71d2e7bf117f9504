import type { UnshownOverrides } from "../unshown.js";
import type { RecordedRequest } from "./http/recorded-request.js";
import type { Seed } from "./seed/seed.js";
import type { HeldLimits, LifeTimes } from "./state/settings.js";

export interface EmulatorOptions {
  /** The token that requests have to carry. Default: 64 hexadecimal characters made from the seed number. */
  token?: string | undefined;
  /**
   * What the account holds: a {@link Seed}, or a number that the believable account's ids are made from. Two emulators with
   * the same seed give the same answers, byte for byte. Default: 1.
   */
  seed?: Seed | number | undefined;
  /**
   * The time at the start (a `Date`, milliseconds or ISO 8601), from which the clock moves only by `clock.advance`; or a
   * clock to follow, such as `Date.now` for real time. Default: 2 June 2025, 09:00 UTC, standing still.
   */
  now?: Date | number | string | (() => number | Date) | undefined;
  /** The address it stands for, ending in `/v1`. Default: `https://api.notetaker.test/v1`. */
  baseUrl?: string | undefined;
  /** Refuses routes, parameters and fields that the interface does not know, saying what was expected. Default: true. */
  strict?: boolean | undefined;
  /**
   * Which rate limits are held. `"interface"` (default): those that the interface gives (10 a minute and 60 an hour for bots,
   * 10 a minute for uploads). `"all"`: also those known from beside it (60 a minute elsewhere, 20 webhooks created a minute).
   * `"none"`: none. The headers tell them in any case.
   */
  limits?: HeldLimits | undefined;
  /**
   * Bots and meetings go their way by themselves as the clock moves, in these times (each has a default); with `"manual"`
   * nothing moves until a test says so.
   */
  life?: "manual" | { [T in keyof LifeTimes]?: LifeTimes[T] | undefined } | undefined;
  /**
   * Which webhook addresses are really called. Default: those of this machine. The others' deliveries are noted as skipped,
   * unless `webhooks.deliverTo` takes them in.
   */
  allowDeliveryTo?: ((url: URL) => boolean) | undefined;
  /** Told of each request once its answer is known. */
  onRequest?: ((request: RecordedRequest) => void) | undefined;
  /** Other names for the parameters that the interface does not show, as in the client's own `unshown` option. */
  unshown?: UnshownOverrides | undefined;
}
