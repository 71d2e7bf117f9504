/** A call of an endpoint, as a resource method passes it to the transport. */
import * as z from "zod/mini";
import type { TimeLimit } from "../async/time-limit.js";
import { formatIssues, type IssueInit } from "../checks/format-issues.js";
import type { Endpoint } from "../endpoints/endpoint.js";
import type { RequestSummary } from "../errors/api-error.js";
import type { QueryRecord } from "./query.js";

export interface Operation<T> extends Omit<Endpoint, "route" | "response" | "page" | "limits" | "invalid" | "source"> {
  /** The arguments that are ids, by their kinds. The path has them, or some of them. */
  readonly ids?: Readonly<Record<string, unknown>>;
  /** A path that the caller wrote. It is sent unchanged in place of `path`. */
  readonly literalPath?: string;
  /** The parameters that the caller passed: the query if the endpoint has one, else the JSON body. */
  readonly params?: unknown;
  readonly addedParams?: QueryRecord;
  /** The schema of the response body, also by the parameters. `undefined` if the response has no body. */
  // biome-ignore lint/suspicious/noExplicitAny: the parameters are those that `query` describes
  readonly response: z.core.$ZodType<T> | ((params: any) => z.core.$ZodType<T>) | undefined;
  /** The body of an upload, created when the call begins. `timeoutMs` limits the time without progress. */
  readonly streamBody?: () => StreamBody;
  /** Default: the whole body, checked with `response`. */
  readonly read?: Read;
  /** Whether the transport leaves retries to its caller. A refused token is still replaced once. */
  readonly retriedByCaller?: boolean;
  /** Whether a read needs the present state of the service, and no response from a cache. A write always does. */
  readonly isFresh?: boolean;
  /** Whether a refused token is replaced even if `maxRetries` is 0. */
  readonly renewsToken?: boolean;
  /** Sent in place of the client's token. It was requested in the caller's own `AsyncLocalStorage` context. */
  readonly token?: string | undefined;
  /** The schema of the call's options, if they are more than `RequestOptions`. */
  readonly options?: z.core.$ZodType;
  readonly issues?: readonly IssueInit[];
}

/** The data of a response, or its issues. With issues, `data` is as it was received. */
export interface ReadData {
  readonly data?: unknown;
  readonly issues?: readonly IssueInit[] | undefined;
}

export interface ReadContext {
  // biome-ignore lint/suspicious/noExplicitAny: they are those that the operation's own schema describes
  readonly params: any;
  /** Whether the data is checked: not if `validation` is `off`. */
  readonly isChecked: boolean;
  readonly attempts: number;
}

export type Read = (body: unknown, context: ReadContext) => ReadData | Promise<ReadData>;

export function checkData(
  schema: z.core.$ZodType,
  data: unknown,
  { isChecked }: Pick<ReadContext, "isChecked">,
): ReadData {
  if (!isChecked) return { data };
  const result = z.safeParse(schema, data);
  if (result.success) return { data: result.data };
  return { data, issues: formatIssues(result.error.issues, data, schema, "field") };
}

export const schemaOf = (response: Operation<unknown>["response"], params: unknown): z.core.$ZodType =>
  (typeof response === "function" ? response(params) : response) ?? z.unknown();

export interface BodyLimits {
  /** Its timer limits the time without progress; `restart` starts it. */
  readonly limit: TimeLimit;
  /** Whether the platform's own `fetch` sends the body. */
  readonly usesPlatformFetch: boolean;
  readonly request: RequestSummary;
}

/** A body of any length, which each attempt opens anew. */
export interface StreamBody {
  readonly contentType: string;
  readonly repeatable: boolean;
  /** Resolves when the source has its first bytes, if it can be read only once. Rejects if it fails. */
  ready(request: RequestSummary): Promise<void>;
  begin(limits: BodyLimits): BodyAttempt;
  /** Closes the source if no attempt has begun. */
  release(reason: unknown): void;
}

export interface BodyAttempt {
  /** The length in bytes; `undefined` while it is not known. */
  readonly size: number | undefined;
  open(): Promise<BodyContent>;
  /** Called with the number of bytes sent, by a `fetch` that can count them. See `src/upload-progress.ts`. */
  onSent(sentBytes: number): void;
  /** Closes the source. Called once, when the attempt ends. `error` is `undefined` after a success. */
  close(error: unknown): void;
}

export type BodyContent = NonNullable<RequestInit["body"]>;
