/** A call of an endpoint, as a resource method passes it to the transport. */
import * as z from "zod/mini";
import type { ConnectionError } from "../errors/call-errors.js";
import type { Issue } from "../schemas/format-issues.js";
import type { StandardSchema } from "../schemas/standard-schema.js";
import type { Endpoint } from "./endpoint.js";
import type { TimeLimit } from "./time-limit.js";

export interface Operation<T> extends Omit<Endpoint, "route" | "response"> {
  /** The arguments that are ids, by their kinds. The path has them, or some of them. */
  readonly ids?: Readonly<Record<string, unknown>>;
  /** A path that the caller wrote. It is sent unchanged in place of `path`. */
  readonly literalPath?: string;
  /** The parameters that the caller passed: the query if the endpoint has one, else the JSON body. */
  readonly params?: unknown;
  /**
   * The schema of the response body, or a function that returns it for parameters that are valid. `undefined` if the
   * response has no body.
   */
  // biome-ignore lint/suspicious/noExplicitAny: the parameters are those that `query` describes
  readonly response: z.core.$ZodType<T> | ((params: any) => z.core.$ZodType<T>) | undefined;
  /**
   * The body of an upload, sent unchanged. It is created when the call begins, so that an invalid source rejects the
   * call. The body may be of any length: `timeoutMs` limits the time without progress, not the whole attempt.
   */
  readonly streamBody?: () => StreamBody;
  /** The caller's own schema of the response. */
  readonly responseSchema?: StandardSchema | undefined;
  /** Selects the part of the body to validate and return. Default: the whole body. */
  readonly selectData?: (body: unknown) => unknown;
  /** Called with the error for a body that does not match `response`, that body and the valid parameters. */
  readonly onMismatch?: (error: Error, body: unknown, params: unknown) => void;
  /** Whether the transport leaves retries to its caller. A refused token is still replaced once. */
  readonly sentOnce?: boolean;
  /** Sent in place of the client's token. It was requested in the caller's own `AsyncLocalStorage` context. */
  readonly token?: string | undefined;
  /** The schema of the call's options, if they are more than `RequestOptions`. */
  readonly options?: z.core.$ZodType;
  /** What is wrong with the arguments, apart from ids, parameters and options. */
  readonly issues?: readonly Issue[];
}

/** The schema of a response, for valid parameters. */
export const schemaOf = (response: Operation<unknown>["response"], params: unknown): z.core.$ZodType =>
  (typeof response === "function" ? response(params) : response) ?? z.unknown();

/** The limits of the attempt that sends a body. */
export interface BodyLimits {
  /** Its timer limits the time without progress; `restart` starts it. */
  readonly limit: TimeLimit;
  /** Whether the platform's own `fetch` sends the body. */
  readonly usesPlatformFetch: boolean;
  /** Makes the library's error for a source that failed. */
  connectionError(cause: unknown): ConnectionError;
}

/** A body of any length, which each attempt opens anew. */
export interface StreamBody {
  readonly contentType: string;
  /** Whether more than one attempt can be made. */
  readonly repeatable: boolean;
  begin(limits: BodyLimits): BodyAttempt;
  /** Closes the source if no attempt has begun. */
  release(reason: unknown): void;
}

/** The body of one attempt. */
export interface BodyAttempt {
  /** The length in bytes; `undefined` while it is not known. */
  readonly size: number | undefined;
  open(): Promise<BodyContent>;
  /** Called with the number of bytes sent, by a `fetch` that can count them. See `src/upload-progress.ts`. */
  onSent(sentBytes: number): void;
  /** Reads the stream that `open` returned into memory, for a `fetch` that cannot send it. */
  gather(stream: ReadableStream): Promise<Blob>;
  /** Closes the source. Called once, when the attempt ends. `error` is `undefined` after a success. */
  close(error: unknown): void;
}

export type BodyContent = NonNullable<RequestInit["body"]>;
