import type { RateLimit } from "../errors/rate-limit.js";
import { hiddenField } from "./hidden-field.js";

/** A call's data together with the response that carried it. */
export interface ApiResponse<T> {
  /** What the call resolves to. */
  data: T;
  /** The response. Its body has already been read. */
  response: Response;
  /** The rate limit, from the response's headers; `undefined` if the response has none. */
  rateLimit: RateLimit | undefined;
}

const responses = /* @__PURE__ */ hiddenField<Promise<ApiResponse<unknown>>>("response");

/** The runtime's own class. The global may be another one (Bluebird), which refuses to be extended. */
const NativePromise = /* @__PURE__ */ (() => (async () => {})().constructor as PromiseConstructor)();

/**
 * A promise of a call's data; `withResponse()` also returns the response that carried it.
 *
 * @example
 * const { data, rateLimit } = await notetaker.meetings.getTranscript(id).withResponse();
 */
export class ApiPromise<T> extends NativePromise<T> {
  constructor(apiResponse: Promise<ApiResponse<T>>) {
    // `await` keeps the caller's own lines in the stack of an error.
    const readData = async () => (await apiResponse).data;
    super((resolve, reject) => void readData().then(resolve, reject));
    responses.set(this, apiResponse);
    // `await` then reads this promise as a plain one, and `then`, `catch` and `finally` return plain ones: a runtime makes
    // them with `constructor`. The prototype keeps the class, which Babel's classes for React Native read from there.
    Object.defineProperty(this, "constructor", { value: NativePromise });
  }

  /** The data with the response, whose body has been read, and the rate limit from its headers. */
  async withResponse(): Promise<ApiResponse<T>> {
    // A failure is reported by the returned promise alone. This promise must not become an unhandled rejection.
    this.catch(() => {});
    return (await responses.get(this)) as ApiResponse<T>;
  }
}
