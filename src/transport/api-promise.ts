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

interface InnerPromises<T> {
  /** Every method delegates to this promise: some runtimes cannot settle a promise of a subclass. */
  readonly data: Promise<T>;
  readonly apiResponse: Promise<ApiResponse<T>>;
}

const innerPromises = /* @__PURE__ */ hiddenField<InnerPromises<unknown>>("inside");
const innerOf = <T>(promise: ApiPromise<T>) => innerPromises.get(promise) as InnerPromises<T>;

/** The runtime's own class. The global may be another one (Bluebird), which refuses to be extended. */
const NativePromise = /* @__PURE__ */ (() => (async () => {})().constructor as PromiseConstructor)();

/**
 * A promise of a call's data; `withResponse()` also returns the response that carried it.
 *
 * @example
 * const { data, rateLimit } = await notetaker.meetings.getTranscript(id).withResponse();
 */
export class ApiPromise<T> extends NativePromise<T> {
  /** `then`, `catch` and `finally` return plain promises. */
  static override get [Symbol.species]() {
    return NativePromise;
  }

  constructor(apiResponse: Promise<ApiResponse<T>>) {
    super(() => {});
    // `await` keeps the caller's own lines in the stack of an error.
    const readData = async () => (await apiResponse).data;
    innerPromises.set(this, { data: readData(), apiResponse });
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  override then<R = T, E = never>(
    onFulfilled?: ((value: T) => R | PromiseLike<R>) | null,
    // biome-ignore lint/suspicious/noExplicitAny: the built-in `then` has this type: a callback may declare its own
    onRejected?: ((reason: any) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    return innerOf(this).data.then(onFulfilled, onRejected);
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  override catch<E = never>(onRejected?: ((reason: any) => E | PromiseLike<E>) | null): Promise<T | E> {
    return innerOf(this).data.catch(onRejected);
  }

  override finally(onFinally?: (() => void) | null): Promise<T> {
    return innerOf(this).data.finally(onFinally);
  }

  /** The data with the response, whose body has been read, and the rate limit from its headers. */
  async withResponse(): Promise<ApiResponse<T>> {
    // A failure is reported by the returned promise alone. `data` must not become an unhandled rejection.
    const { data, apiResponse } = innerOf(this);
    data.catch(() => {});
    return await apiResponse;
  }
}
