/** An operation: the description of an endpoint that a resource method passes to the transport. */
import type * as z from "zod/mini";
import type { WireNames } from "../assumptions.js";
import type { ConnectionError } from "../errors/call-errors.js";
import type { StandardSchema } from "../schemas/standard-schema.js";
import type { Path } from "./path.js";
import type { TimeLimit } from "./time-limit.js";

/** An HTTP method that the service uses. */
export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Whether a request may be sent again after a 5xx, a lost connection or a timeout. `repeatable`: yes, because a second
 * request changes nothing. `unrepeatable`: no, because the first request may have had an effect. It is sent again only
 * if it certainly had none (a 429, or a connection that was never made).
 */
export type RetryClass = "repeatable" | "unrepeatable";

/** A value that the caller passed, and the schema that checks it before anything is sent. */
export interface ValueWithSchema {
  readonly schema: z.core.$ZodType;
  readonly value: unknown;
}

export const withSchema = (schema: z.core.$ZodType, value: unknown): ValueWithSchema => ({ schema, value });

/** The attempt that sends a streamed body. Its timer limits the time without progress; `restart` starts it. */
export interface StreamAttempt extends TimeLimit {
  /** Makes the library's error for a source that failed. */
  connectionError(cause: unknown): ConnectionError;
  /** Whether the platform's own `fetch` sends the body. */
  readonly usesPlatformFetch: boolean;
}

/** A body of any length, which is opened anew for each attempt. */
export interface StreamBody {
  readonly contentType: string;
  /** Whether `open` may be called again, for another attempt. */
  readonly repeatable: boolean;
  /** The length in bytes; `undefined` while it is not known. */
  readonly size: number | undefined;
  open(attempt: StreamAttempt): BodyContent | Promise<BodyContent>;
  /** Called with the number of bytes sent, by a `fetch` that can count them. See `src/upload-progress.ts`. */
  onSent(sentBytes: number): void;
  /** Reads the stream that `open` returned into memory, for a `fetch` that cannot send it. */
  gather(stream: ReadableStream): Promise<Blob>;
  /**
   * Releases the source when an attempt ends, or when the call fails before its first attempt. `error` is `undefined`
   * after a success.
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
  /** The group of wire names for `query` (`src/assumptions.ts`). Default: parameters are sent under their own names. */
  readonly names?: keyof WireNames;
  /** Sent as JSON. */
  readonly body?: ValueWithSchema;
  /**
   * The body of an upload, sent unchanged. It is created when the call begins, so that an invalid source rejects the
   * call. The body may be of any length: `timeoutMs` limits the time without progress, not the whole attempt.
   */
  readonly streamBody?: () => StreamBody;
  /** The schema of the response body; `undefined` if the response has no body. */
  readonly response: z.core.$ZodType<T> | undefined;
  /** The caller's own schema of the response. */
  readonly responseSchema?: StandardSchema | undefined;
  /** Selects the part of the body to validate and return. Default: the whole body. */
  readonly selectData?: (body: unknown) => unknown;
  /** Called with the error for a body that does not match `response`, and with that body. */
  readonly onMismatch?: (error: Error, body: unknown) => void;
  readonly retry: RetryClass;
  /** Whether the transport leaves retries to its caller. A refused token is still replaced once. */
  readonly sentOnce?: boolean;
  /** Sent in place of the client's token. It was requested in the caller's own `AsyncLocalStorage` context. */
  readonly token?: string | undefined;
  /** The schema of the call's options, if they are more than `RequestOptions`. */
  readonly options?: z.core.$ZodType;
}
