/** What a resource method says of its endpoint: all that the transport needs to know of it. */
import type * as z from "zod/mini";
import type { WireNames } from "../unshown.js";
import type { Path } from "./path.js";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Whether a request may be sent again after a 5xx, a lost connection or a timeout. `repeatable`: repeating changes
 * nothing. `unrepeatable`: the first one may have acted, so only a 429 (which says that it did not) is retried.
 */
export type RetryClass = "repeatable" | "unrepeatable";

/** What the caller gave, with the schema that it is held to before anything is sent. */
export interface Checked {
  readonly schema: z.core.$ZodType;
  readonly value: unknown;
}

export const checked = (schema: z.core.$ZodType, value: unknown): Checked => ({ schema, value });

/** A body that goes out as it is. */
export interface RawBody {
  readonly contentType: string;
  /** Whether `open` may be called again, for another attempt. */
  readonly repeatable: boolean;
  /** In bytes, where it is known before the body has been read. */
  readonly size?: number | undefined;
  /** The body for one attempt. One that can tell calls `alive` whenever a part of it goes out. */
  open(alive: () => void): BodyContent | Promise<BodyContent>;
  /** What its source failed with: some runtimes send a body that broke off as if it were whole. */
  readonly failure?: unknown;
  /** Whether the caller's own callback threw it: it passes as it is. */
  readonly ofCallback?: boolean;
  /** Ends an attempt, or a call that came to none: closes what is open. `error` is `undefined` after a success. */
  close?(error: unknown): void;
}

export type BodyContent = NonNullable<RequestInit["body"]>;

export interface Operation<T> {
  /** The method of this library, for example `rooms.list`. */
  readonly operation: string;
  readonly method: HttpMethod;
  readonly path: Path;
  /** The query parameters, by their names in this library. */
  readonly query?: Checked;
  /** Which wire names the parameters of `query` have; without it they are sent under their own. */
  readonly names?: keyof WireNames;
  /** Sent as JSON. */
  readonly body?: Checked;
  /**
   * Sent as it is. Made when the call begins, so that a bad source rejects. It may be of any length: `timeoutMs` limits
   * the time without progress, not the attempt.
   */
  readonly raw?: () => RawBody;
  /** The promised shape of the answer; `undefined` where the answer has no content. */
  readonly response: z.core.$ZodType<T> | undefined;
  /** Where in the answer that is, whatever the validation. Default: all of it. */
  readonly read?: (answer: unknown) => unknown;
  readonly retry: RetryClass;
  /** What the call's options are held to, where they are more than `RequestOptions`. */
  readonly options?: z.core.$ZodType;
}
