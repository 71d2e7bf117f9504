/** The headers by which the service knows the call of a request. */
const CALL = "x-soak-call";
const ONCE = "x-soak-once";

/** The name for requests of waits, which have no header with a name. */
export const UNNAMED = "none";

export const callOf = (request) => request.headers.get(CALL) ?? UNNAMED;

/** Whether the library may send the request again only if the earlier one surely had no effect. */
export const isOnce = (request) => request.method === "POST" || request.headers.has(ONCE);

export const markedAs = (name) => ({ [CALL]: name });

/** Marks a PUT that the library sends again only if the earlier request surely had no effect. */
export const onlyOnce = (options) => ({ ...options, headers: { ...options.headers, [ONCE]: "1" } });
