/** What a resource method says of its endpoint: all that the transport needs to know of it. */
import type * as z from "zod/mini";
import type { ConnectionError } from "../errors/connection-error.js";
import type { StandardSchema } from "../schemas/standard-schema.js";
import type { WireNames } from "../unshown.js";
import type { Path } from "./path.js";
import type { TimeLimit } from "./time-limit.js";

/** The methods that the service uses. */
export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Whether a request may be sent again after a 5xx, a lost connection or a timeout. `repeatable`: repeating changes
 * nothing. `unrepeatable`: the first one may have acted, so it is sent again only when it certainly did not act (a 429,
 * or a connection that was never made).
 */
export type RetryClass = "repeatable" | "unrepeatable";

/** What the caller passed, with the schema that it is checked with before anything is sent. */
export interface ValueWithSchema {
  readonly schema: z.core.$ZodType;
  readonly value: unknown;
}

export const withSchema = (schema: z.core.$ZodType, value: unknown): ValueWithSchema => ({ schema, value });

/**
 * The attempt that sends a streamed body, with the timer of its time without progress. The timer starts with `restart`.
 */
export interface StreamAttempt extends TimeLimit {
  /** The error of the library for a source that failed. */
  connectionError(cause: unknown): ConnectionError;
  /** Whether the body goes to the platform's own `fetch`. */
  readonly usesPlatformFetch: boolean;
}

/** A body of any length, which is opened anew for each attempt. */
export interface StreamBody {
  readonly contentType: string;
  /** Whether `open` may be called again, for another attempt. */
  readonly repeatable: boolean;
  /** In bytes; `undefined` while it is not known. */
  readonly size: number | undefined;
  open(attempt: StreamAttempt): BodyContent | Promise<BodyContent>;
  /** Called with the number of bytes sent, by a `fetch` that can count them. See `src/upload-progress.ts`. */
  onSent(sentBytes: number): void;
  /** Reads the stream that `open` returned into memory, for a `fetch` that cannot send it. */
  gather(stream: ReadableStream): Promise<Blob>;
  /**
   * Closes what is open when an attempt ends, or when a call ends without one. `error` is `undefined` after a success.
   */
  close(error: unknown): void;
}

export type BodyContent = NonNullable<RequestInit["body"]>;

export interface Operation<T> {
  /** The method of this library, for example `rooms.list`. */
  readonly operation: string;
  readonly method: HttpMethod;
  readonly path: Path;
  /** The query parameters, by their names in this library. */
  readonly query?: ValueWithSchema;
  /** Which wire names the parameters of `query` have; without it they are sent under their own. */
  readonly names?: keyof WireNames;
  /** Sent as JSON. */
  readonly body?: ValueWithSchema;
  /**
   * Sent as it is. Created when the call begins, so that an invalid source rejects the call. It may be of any length:
   * `timeoutMs` limits the time without progress, not the attempt.
   */
  readonly streamBody?: () => StreamBody;
  /** The promised shape of the response body; `undefined` if there is none. */
  readonly response: z.core.$ZodType<T> | undefined;
  /** The caller's own schema of the response. */
  readonly responseSchema?: StandardSchema | undefined;
  /** Selects the part of the body to validate and return. Default: the whole body. */
  readonly selectData?: (body: unknown) => unknown;
  /** Called with the error for a body that does not match `response`, and with that body. */
  readonly onMismatch?: (error: Error, body: unknown) => void;
  readonly retry: RetryClass;
  /** Whether the caller of the operation retries by itself. A token that was refused is still replaced once. */
  readonly sentOnce?: boolean;
  /** Sent in place of the client's token: one that was requested in the async context of the caller. */
  readonly token?: string | undefined;
  /** The schema of the call's options, if they are more than `RequestOptions`. */
  readonly options?: z.core.$ZodType;
}
