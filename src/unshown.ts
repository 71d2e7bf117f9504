/**
 * The names and numbers that the library must send or read, although the service's interface does not show them. No
 * other file contains them.
 *
 * None of them was verified against a live account. Each entry has its level of evidence:
 * - **A**: stated in the service's public reference
 * - **B**: seen in more than one public integration
 * - **C**: a guess, by analogy with a similar endpoint
 *
 * Query parameter names can be replaced through the client's `unshown` option.
 */

/** The query parameters of each list: from the name in this library to the name on the wire. */
export const UNSHOWN_QUERY = {
  /** The list of rooms. */
  rooms: {
    /** Level A. Filter by one or more room ids; the parameter is repeated. */
    ids: "id",
    /** Level A. Ownership scope: `all` (the service's default), `owned`, `shared`. */
    scope: "scope",
    /** Level A. Search by room title. */
    search: "search",
    /** Level A. Include `documents` or `meetings` in each room; the parameter is repeated. */
    expand: "expand",
    /** Level A. The `next_cursor` of a previous response. */
    cursor: "cursor",
    /** Level A. Page size, 1 to 100; the service's default is 25. */
    limit: "limit",
  },
  /** The list of permissions. */
  permissions: {
    /** Level C. The `next_cursor` of a previous response. */
    cursor: "cursor",
    /** Level C. Page size, 1 to 100. */
    limit: "limit",
  },
  /** Reading a document. */
  documents: {
    /** Level A. Output format of the content; the service's default is `html`. */
    format: "format",
  },
  /** All of them are level A: the interface refers to the meeting list, but does not define it. */
  meetings: {
    /** Level A. Filter by one or more meeting ids; the parameter is repeated. */
    ids: "id",
    /** Level A. Ownership scope: `all` (the service's default), `owned`, `shared`. */
    scope: "scope",
    /** Level A. Filter by status. */
    status: "status",
    /** Level A. The first day, YYYY-MM-DD. */
    start_date: "start_date",
    /** Level A. The last day, YYYY-MM-DD. */
    end_date: "end_date",
    /** Level A. Part of a title. */
    search: "search",
    /** Level A. Semantic search. */
    q: "q",
    /** Level A. Name or email address of a participant. */
    participant: "participant",
    /** Level A. Name or domain of a company. */
    company: "company",
    /** Level A. Filter by one room id. */
    room_id: "room_id",
    /** Level A. Include `documents` in each meeting; the parameter is repeated. */
    expand: "expand",
    /** Level A. The `next_cursor` of a previous response. */
    cursor: "cursor",
    /** Level A. Page size, 1 to 100. */
    limit: "limit",
  },
} as const;

/** The texts by which the title of a document shows its kind. Upper and lower case are not distinguished. Level C. */
export const UNSHOWN_DOCUMENT_TITLES = {
  /** Level C. In the title of a summary. */
  summary: "summary",
  /** Level C. In the title of a list of action items. */
  action_items: "action items",
} as const;

/** The texts that identify titles of documents, after the caller's replacements. */
export type DocumentTitles = { readonly [N in keyof typeof UNSHOWN_DOCUMENT_TITLES]: string };

type Table = typeof UNSHOWN_QUERY;

/** The wire names, after the caller's replacements. */
export type WireNames = { readonly [G in keyof Table]: { readonly [N in keyof Table[G]]: string } };

/** The client's `unshown` option: replacements for any of these names, by meaning. */
export type UnshownOverrides = { readonly [G in keyof Table]?: { readonly [N in keyof Table[G]]?: string } } & {
  /** Names that concern documents. */
  readonly documents?: {
    /** The texts by which `documents.find` recognises titles. Upper and lower case are not distinguished. */
    readonly titles?: { readonly [N in keyof DocumentTitles]?: string };
  };
};

/** The defaults, replaced by the caller's names; `undefined` keeps the default. */
export const wireNames = (overrides?: UnshownOverrides): WireNames => {
  if (overrides === undefined) return UNSHOWN_QUERY;
  const merged = Object.entries(UNSHOWN_QUERY).map(([group, names]) => {
    const own: Readonly<Record<string, unknown>> = overrides[group as keyof Table] ?? {};
    return [group, Object.fromEntries(Object.entries(names).map(([name, wireName]) => [name, own[name] ?? wireName]))];
  });
  return Object.fromEntries(merged);
};

/** The texts that identify titles of documents: the defaults, replaced by the caller's texts. */
export const documentTitles = ({ documents }: UnshownOverrides = {}): DocumentTitles => ({
  summary: documents?.titles?.summary ?? UNSHOWN_DOCUMENT_TITLES.summary,
  action_items: documents?.titles?.action_items ?? UNSHOWN_DOCUMENT_TITLES.action_items,
});

/** Level A: `sha256=<hex HMAC-SHA256 of the raw request body, keyed by the webhook's secret>`. */
export const WEBHOOK_SIGNATURE_HEADER = "x-webhook-signature";

/** Level A, on every response: how many requests the window allows. */
export const RATE_LIMIT_HEADER = "x-ratelimit-limit";
/** Level A, on every response: requests left in the window. */
export const RATE_LIMIT_REMAINING_HEADER = "x-ratelimit-remaining";
/** Level A, on every response: when the window ends, in Unix seconds. */
export const RATE_LIMIT_RESET_HEADER = "x-ratelimit-reset";
/** Level A, on a 429: how long to wait, in seconds. */
export const RETRY_AFTER_HEADER = "retry-after";

/** Level A: the limit for all requests together, except those for which the interface states a limit. */
export const OTHER_PER_MINUTE = 60;
/** Level A: the limit for requests that create a webhook. They also count as other requests. */
export const CREATE_WEBHOOK_PER_MINUTE = 20;

/** Level C: the response headers that may have the service's id of the request. The first one present is used. */
export const REQUEST_ID_HEADERS = ["x-request-id", "request-id"] as const;

/** The values of `error.code`. Level A, except `unauthorized` and `not_found`, which the interface states. */
export const BAD_REQUEST_CODE = "bad_request";
export const UNAUTHORIZED_CODE = "unauthorized";
export const FORBIDDEN_CODE = "forbidden";
export const NOT_FOUND_CODE = "not_found";
export const RATE_LIMITED_CODE = "rate_limited";
export const SERVER_ERROR_CODE = "internal_error";
/**
 * The codes by status. An error class imports only its own constant, so that a bundle with one class does not contain
 * the codes of the others.
 */
export const UNSHOWN_ERROR_CODES = {
  400: BAD_REQUEST_CODE,
  401: UNAUTHORIZED_CODE,
  403: FORBIDDEN_CODE,
  404: NOT_FOUND_CODE,
  429: RATE_LIMITED_CODE,
  500: SERVER_ERROR_CODE,
} as const;

/** The status of the validation envelope. Level C. */
export const UNSHOWN_VALIDATION_STATUS = 422;

/** The fields of a webhook delivery's body. A receiver can replace them through its `unshown` option. */
export const UNSHOWN_EVENT_FIELDS = {
  /** Level B. */
  kind: "event",
  /** Level A for `id`, level B for `meeting_id`: the first field that has an id of the form `mtg_…` is used. */
  meetingId: ["id", "meeting_id"],
} as const;

/** Level A: the number of items on a page if the request names no page size. */
export const UNSHOWN_PAGE_SIZE = 25;

/** Level A: how long a receiver may take to respond to a webhook delivery, in milliseconds. */
export const DELIVERY_TIMEOUT_MS = 10_000;
/** Level A: the waits before each retry of a delivery, in milliseconds. 5xx, 429 and network failures are retried. */
export const DELIVERY_RETRY_DELAYS_MS = [1_000, 10_000, 60_000] as const;
