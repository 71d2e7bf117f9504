/**
 * The names and numbers that the library must send or read, although the API specification does not show them. No
 * other file contains them.
 *
 * None of them was verified against a live account. Each entry says how it is known:
 * - **documented**: stated in the service's public reference
 * - **observed**: seen in more than one public integration
 * - **guessed**: by analogy with a similar endpoint
 *
 * Query parameter names can be replaced through the client's `assumptions` option.
 */

/** The query parameters of each list: from the name in this library to the name on the wire. */
export const ASSUMED_QUERY = {
  rooms: {
    /** Documented. Filter by one or more room ids; the parameter is repeated. */
    ids: "id",
    /** Documented. Ownership scope: `all` (the service's default), `owned`, `shared`. */
    scope: "scope",
    /** Documented. Search by room title. */
    search: "search",
    /** Documented. Include `documents` or `meetings` in each room; the parameter is repeated. */
    expand: "expand",
    /** Documented. The `next_cursor` of a previous response. */
    cursor: "cursor",
    /** Documented. Page size, 1 to 100; the service's default is 25. */
    limit: "limit",
  },
  permissions: {
    /** Guessed. The `next_cursor` of a previous response. */
    cursor: "cursor",
    /** Guessed. Page size, 1 to 100. */
    limit: "limit",
  },
  documents: {
    /** Documented. Output format of the content; the service's default is `html`. */
    format: "format",
  },
  /** All of them are documented: the API specification refers to the meeting list, but does not define it. */
  meetings: {
    /** Documented. Filter by one or more meeting ids; the parameter is repeated. */
    ids: "id",
    /** Documented. Ownership scope: `all` (the service's default), `owned`, `shared`. */
    scope: "scope",
    /** Documented. Filter by status. */
    status: "status",
    /** Documented. The first day, YYYY-MM-DD. */
    start_date: "start_date",
    /** Documented. The last day, YYYY-MM-DD. */
    end_date: "end_date",
    /** Documented. Part of a title. */
    search: "search",
    /** Documented. Semantic search. */
    q: "q",
    /** Documented. Name or email address of a participant. */
    participant: "participant",
    /** Documented. Name or domain of a company. */
    company: "company",
    /** Documented. Filter by one room id. */
    room_id: "room_id",
    /** Documented. Include `documents` in each meeting; the parameter is repeated. */
    expand: "expand",
    /** Documented. The `next_cursor` of a previous response. */
    cursor: "cursor",
    /** Documented. Page size, 1 to 100. */
    limit: "limit",
  },
} as const;

/** The texts by which the title of a document shows its kind. Upper and lower case are not distinguished. Guessed. */
export const ASSUMED_DOCUMENT_TITLES = {
  /** Guessed. In the title of a summary. */
  summary: "summary",
  /** Guessed. In the title of a list of action items. */
  action_items: "action items",
} as const;

/** Guessed. In the title of notes. `documents.find` does not know them: their title is the most likely to be another. */
export const ASSUMED_NOTES_TITLE = "notes";

/** The texts that identify titles of documents, after the caller's replacements. */
export type DocumentTitles = { readonly [N in keyof typeof ASSUMED_DOCUMENT_TITLES]: string };

type Table = typeof ASSUMED_QUERY;

export type WireNames = { readonly [G in keyof Table]: { readonly [N in keyof Table[G]]: string } };

/** The client's `assumptions` option: replacements for any of these names, by meaning. */
export type AssumptionOverrides = { readonly [G in keyof Table]?: { readonly [N in keyof Table[G]]?: string } } & {
  /** Names that concern documents. */
  readonly documents?: {
    /** The texts by which `documents.find` recognises titles. Upper and lower case are not distinguished. */
    readonly titles?: { readonly [N in keyof DocumentTitles]?: string };
  };
};

/** The defaults, replaced by the caller's names; `undefined` keeps the default. */
export const wireNames = (overrides?: AssumptionOverrides): WireNames => {
  if (overrides === undefined) return ASSUMED_QUERY;
  const merged = Object.entries(ASSUMED_QUERY).map(([group, names]) => {
    const own: Readonly<Record<string, unknown>> = overrides[group as keyof Table] ?? {};
    return [group, Object.fromEntries(Object.entries(names).map(([name, wireName]) => [name, own[name] ?? wireName]))];
  });
  return Object.fromEntries(merged);
};

/** The texts that identify titles of documents: the defaults, replaced by the caller's texts. */
export const documentTitles = ({ documents }: AssumptionOverrides = {}): DocumentTitles => ({
  summary: documents?.titles?.summary ?? ASSUMED_DOCUMENT_TITLES.summary,
  action_items: documents?.titles?.action_items ?? ASSUMED_DOCUMENT_TITLES.action_items,
});

/** Documented: `sha256=<hex HMAC-SHA256 of the raw request body, keyed by the webhook's secret>`. */
export const WEBHOOK_SIGNATURE_HEADER = "x-webhook-signature";

/** Documented, on every response: how many requests the window allows. */
export const RATE_LIMIT_HEADER = "x-ratelimit-limit";
/** Documented, on every response: requests left in the window. */
export const RATE_LIMIT_REMAINING_HEADER = "x-ratelimit-remaining";
/** Documented, on every response: when the window ends, in Unix seconds. */
export const RATE_LIMIT_RESET_HEADER = "x-ratelimit-reset";
/** Documented, on a 429: how long to wait, in seconds. */
export const RETRY_AFTER_HEADER = "retry-after";

/** Documented: the limit for all requests together, except those for which the API specification states a limit. */
export const OTHER_PER_MINUTE = 60;
/** Documented: the limit for requests that create a webhook. They also count as other requests. */
export const CREATE_WEBHOOK_PER_MINUTE = 20;

/** Guessed: the response headers that may have the service's id of the request. The first one present is used. */
export const REQUEST_ID_HEADERS = ["x-request-id", "request-id"] as const;

/** The values of `error.code`. One constant each, so that a bundle with one class has no other's code. */
export const BAD_REQUEST_CODE = "bad_request";
export const UNAUTHORIZED_CODE = "unauthorized";
export const FORBIDDEN_CODE = "forbidden";
export const NOT_FOUND_CODE = "not_found";
export const RATE_LIMITED_CODE = "rate_limited";
export const SERVER_ERROR_CODE = "internal_error";
/** The status of the validation envelope. Guessed. */
export const ASSUMED_VALIDATION_STATUS = 422;

/** The fields of a webhook delivery's body. A receiver can replace them through its `assumptions` option. */
export const ASSUMED_EVENT_FIELDS = {
  /** Observed. */
  kind: "event",
  /** Documented for `id`, observed for `meeting_id`: the first field that has an id of the form `mtg_…` is used. */
  meetingId: ["id", "meeting_id"],
} as const;

/** Guessed: the recipient types of permissions for a teammate, whose address is in `email`, and for the team. */
export const ASSUMED_TEAMMATE = "teammate";
export const ASSUMED_TEAM = "team";

/** Documented: the number of items on a page if the request names no page size. */
export const ASSUMED_PAGE_SIZE = 25;

/** Documented: how long a receiver may take to respond to a webhook delivery, in milliseconds. */
export const DELIVERY_TIMEOUT_MS = 10_000;
/**
 * Documented: the waits before each retry of a delivery, in milliseconds. 5xx, 429 and network failures are retried.
 */
export const DELIVERY_RETRY_DELAYS_MS = [1_000, 10_000, 60_000] as const;
