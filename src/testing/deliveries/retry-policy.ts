import type { DeliveryAttempt } from "../state/records.js";

/** Whether the service retries after this attempt (level A): after 5xx, 429 and no response. */
export const isRetried = ({ status }: Pick<DeliveryAttempt, "status">) =>
  status === undefined || status === 429 || status >= 500;

export const isSuccess = ({ status }: Pick<DeliveryAttempt, "status">) =>
  status !== undefined && status >= 200 && status < 300;
