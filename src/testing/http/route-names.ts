/** The names of all routes, so that editors can complete them. A test compares the list with the routes. */
export const ROUTE_NAMES = [
  "POST /meetings/bot",
  "DELETE /meetings/{event_id}/bot",
  "POST /meetings/{event_id}/bot",
  "PUT /settings/notetaker-automation",
  "GET /settings/notetaker-automation",
  "GET /meetings",
  "GET /meetings/upcoming",
  "GET /meetings/{meeting_id}/transcript",
  "GET /meetings/{meeting_id}/recording",
  "PUT /meetings/upload",
  "GET /rooms",
  "POST /meetings/{meeting_id}/permissions",
  "GET /meetings/{meeting_id}/permissions",
  "DELETE /meetings/{meeting_id}/permissions/{permission_id}",
  "GET /documents/{document_id}",
  "GET /webhooks",
  "POST /webhooks",
  "PATCH /webhooks/{webhook_id}",
  "DELETE /webhooks/{webhook_id}",
  "GET /recordings/{key}",
] as const;

/** The name of a route, such as `GET /rooms`. Its parameters may have any name: `GET /documents/:id`. */
export type RouteName = (typeof ROUTE_NAMES)[number];
