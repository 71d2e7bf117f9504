/** How long each step of a bot and a meeting takes, in milliseconds of the emulator's clock. */
export interface LifeTimes {
  /** From the request for a bot until the bot is created and its meeting appears. Default: 2,000. */
  createMs: number;
  /** From the creation of the bot until it is admitted to the call. Default: 5,000. */
  admitMs: number;
  /** The length of a call. Default: 60,000. */
  callMs: number;
  /** From the end of the call, or from the upload, until the transcript is ready. Default: 20,000. */
  transcribeMs: number;
  /** From the transcript until the initial summary is ready. Default: 10,000. */
  summariseMs: number;
  /** From the request to cancel a bot until it is cancelled. Default: 2,000. */
  cancelMs: number;
}

export const LIFE_TIMES: LifeTimes = {
  createMs: 2_000,
  admitMs: 5_000,
  callMs: 60_000,
  transcribeMs: 20_000,
  summariseMs: 10_000,
  cancelMs: 2_000,
};

/** The defaults with `overrides`; an override of `undefined` keeps the default. */
export function lifeTimes(overrides: object): LifeTimes {
  return { ...LIFE_TIMES, ...Object.fromEntries(Object.entries(overrides).filter(([, ms]) => ms !== undefined)) };
}

export const ENFORCED_LIMITS = ["specified", "all", "none"] as const;

/**
 * Which rate limits are enforced. `specified`: those of the API specification. `all`: also those known from other
 * public sources (60 requests a minute for most endpoints, 20 webhooks created a minute). `none`: no limit.
 */
export type HeldLimits = (typeof ENFORCED_LIMITS)[number];
