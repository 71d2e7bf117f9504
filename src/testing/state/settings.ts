/** How long each step takes on the emulator's clock, in milliseconds. */
export interface LifeTimes {
  /** From the request for a bot until the bot is created and its meeting appears. */
  createMs: number;
  /** From there until the bot is let into the call. */
  admitMs: number;
  /** How long a call lasts. */
  callMs: number;
  /** From the end of the call, or from the upload, until the transcript is ready. */
  transcribeMs: number;
  /** From there until the initial summary is ready. */
  summariseMs: number;
  /** From the request to cancel a bot until it is cancelled. */
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

/** The defaults, with the given times in their places; `undefined` is no time. */
export function lifeTimes(given: object): LifeTimes {
  return { ...LIFE_TIMES, ...Object.fromEntries(Object.entries(given).filter(([, ms]) => ms !== undefined)) };
}

export const ENFORCED_LIMITS = ["interface", "all", "none"] as const;

/**
 * Which limits are held: `interface`, those that the interface gives; `all`, also those known from beside it (60 requests a
 * minute for most endpoints, 20 webhooks created a minute); `none`.
 */
export type HeldLimits = (typeof ENFORCED_LIMITS)[number];
