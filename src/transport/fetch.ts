/** The `fetch` that a client calls, and the options that are passed to it. */
import * as z from "zod/mini";
import { isRecord } from "../json/is-record.js";
import { custom } from "../schemas/primitives.js";

/** A response as any implementation of `fetch` returns it. */
export interface FetchResponse {
  /** The HTTP status. */
  readonly status: number;
  /** Whether the status is a success, 200 to 299. */
  readonly ok: boolean;
  /** The headers. */
  readonly headers: {
    /** The value of a header, or `null` if the response does not have it. */
    get(name: string): string | null;
  };
  /** The body as a stream of whatever kind the implementation has; `null` if there is none. */
  readonly body?: unknown;
  /** Reads the whole body. */
  text(): Promise<string>;
}

/** The init that `fetch` is called with: these members, and those of the option `fetchOptions`. */
export interface FetchInit {
  /** The HTTP method. */
  method: string;
  /** Every header, by its lower-case name. */
  headers: Record<string, string>;
  /** A new signal for each attempt. */
  signal: AbortSignal;
  /** `error`, or `manual` in runtimes that do not support `error`. */
  redirect: "error" | "manual";
  /** JSON text, or an upload's stream or `Blob`. Absent if the request has no body. */
  // biome-ignore lint/suspicious/noExplicitAny: each implementation has a type of its own for bodies
  body?: any;
  /** Set if the body is not a text. */
  duplex?: "half";
}

/** Any implementation of `fetch`: it is called with a URL and an init, never with a `Request`. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** `next`, `cache`, `cf`, `dispatcher`, `credentials` and the like, added to the `init` that `fetch` gets. */
export type FetchOptions = Readonly<Record<string, unknown>> & {
  /** Set by the client. */
  readonly method?: never;
  /** Set by the client: see the option `headers`. */
  readonly headers?: never;
  /** Set by the client. */
  readonly body?: never;
  /** Set by the client: see the option `signal`. */
  readonly signal?: never;
  /** Set by the client: redirects are refused. */
  readonly redirect?: never;
};

/** An iterator can be read only once, but lists, waits and downloads send several requests with the same options. */
const isIterator = (value: object) => "next" in value && typeof value.next === "function";

/** In a record, `undefined` means "as the client has it" and `null` "without this header". */
export const headersOptionSchema = z.optional(
  custom<Headers | Iterable<readonly [string, string]> | Readonly<Record<string, string | null | undefined>>>(
    (value) => typeof value === "object" && value !== null && !isIterator(value),
    "a Headers, pairs or an object of strings",
  ),
);

const OWN_INIT_MEMBERS = ["method", "headers", "body", "signal", "redirect"];

export const fetchOptionsSchema = z.optional(
  custom<FetchOptions>(
    (value) => isRecord(value) && !OWN_INIT_MEMBERS.some((name) => name in value),
    `an object without ${OWN_INIT_MEMBERS.join(", ")}`,
  ),
);

let mode: FetchInit["redirect"] | undefined;

/** Redirects would leak the token, and keep uploads in memory. Workers know only `manual`: refused when read. */
export function redirectMode(): FetchInit["redirect"] {
  mode ??= supportedMode();
  return mode;
}

function supportedMode(): FetchInit["redirect"] {
  try {
    return new Request("https://probe.invalid", { redirect: "error" }).redirect === "manual" ? "manual" : "error";
  } catch {
    return "manual";
  }
}
