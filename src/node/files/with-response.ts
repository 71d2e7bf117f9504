/** Lets saveDocument and the export work with a real client, or with a fake client that returns plain promises. */
import type { ApiResponse } from "../../transport/api-promise.js";

/** The result of a call. A fake that returns a plain promise has only `data`. */
export type PossibleResponse<T> = Pick<ApiResponse<T>, "data"> & Partial<ApiResponse<T>>;

/** Waits for the call of a client, or of a fake client, and includes the response if there is one. */
export async function withResponse<T>(call: Promise<T>): Promise<PossibleResponse<T>> {
  const { withResponse: getResponse } = call as { withResponse?: () => Promise<ApiResponse<T>> };
  return typeof getResponse === "function" ? getResponse.call(call) : { data: await call };
}
