import type { DeliveryAttempt } from "../state/records.js";
/** One webhook delivery: what it says, and how it went. */

/** Level A: how long a receiver may take, and the waits before each retry. */
export const DELIVERY_TIMEOUT_MS = 10_000;
export const RETRY_DELAYS_MS = [1_000, 10_000, 60_000] as const;

/** Whether an outcome is one that the service tries again (level A): 5xx, 429 and no answer. */
export const isRetried = ({ status }: DeliveryAttempt) => status === undefined || status === 429 || status >= 500;

export const isSuccess = ({ status }: DeliveryAttempt) => status !== undefined && status >= 200 && status < 300;
