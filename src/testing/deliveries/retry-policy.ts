/** Decides whether an attempt at a delivery was successful, and whether the service retries it. */

interface Result {
  /** The receiver's status, or undefined if there was no response. */
  status?: number | undefined;
}

/** Whether the service retries after this attempt (documented): after 5xx, 429 and no response. */
export const isRetried = ({ status }: Result) => status === undefined || status === 429 || status >= 500;

export const isSuccess = ({ status }: Result) => status !== undefined && status >= 200 && status < 300;
