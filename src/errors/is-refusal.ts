import { ApiError } from "./api-error.js";

/** Whether the service itself refused the parameters of the request: status 400 or 422. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.fromService && (error.status === 400 || error.status === 422);
