/**
 * The ownership scope of a list: see "GET /rooms" in the API specification. The meeting list has the same scope
 * (documented).
 */

/** `owned`: what the user owns. `shared`: what others share with the user. `all`: both. */
export const SCOPES = ["owned", "shared", "all"] as const;
/** See {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];
