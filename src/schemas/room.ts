/** Interface, "Room" and "GET /rooms". */
import * as z from "zod/mini";
import { documentReferenceSchema } from "./document.js";
import { idListParam, roomId } from "./ids.js";
import { meetingSummarySchema } from "./meeting.js";
import { type PageEnvelope, pageParams, pageSchema } from "./page.js";
import { enumOf, integer, nullish, readonlyArray, requestObject, responseObject, timestamp } from "./primitives.js";

export const SCOPES = ["owned", "shared", "all"] as const;
export const ROOM_EXPANSIONS = ["documents", "meetings"] as const;

export type Scope = (typeof SCOPES)[number];
export type RoomExpansion = (typeof ROOM_EXPANSIONS)[number];

const expansions = {
  meetings: z.array(meetingSummarySchema),
  documents: z.array(documentReferenceSchema),
};

const roomFields = {
  /** `room_…` */
  id: roomId,
  title: z.string(),
  /** ISO 8601 with offset. */
  created_at: timestamp(),
  /** ISO 8601 with offset. */
  updated_at: timestamp(),
  /** Number of meetings in the room. */
  meeting_count: integer(),
  /** URL for sharing the room. Level A: can be absent. */
  share_url: nullish(z.string()),
  /** Present when the list is requested with `expand: ["meetings"]`. */
  meetings: nullish(expansions.meetings),
  /** Present when the list is requested with `expand: ["documents"]`. The element's shape is level A. */
  documents: nullish(expansions.documents),
};

export const roomSchema = responseObject(roomFields);

type RoomFields = z.infer<typeof roomSchema>;

/** A room. `E` names the expansions that were asked for: their fields are present. */
export type Room<E extends RoomExpansion = never> = RoomFields & { [K in E]: NonNullable<RoomFields[K]> };

/** Made when they are first asked for: few programs use more than one. */
const expandedPages = new Map<string, z.core.$ZodType>();

/**
 * The expansions that a list of them is known to name: those in each form that it can have. Of a list whose length is
 * not known, none.
 */
export type NamedExpansions<E extends readonly RoomExpansion[]> = {
  [K in RoomExpansion]: [E extends unknown ? (number extends E["length"] ? K : Exclude<K, E[number]>) : never] extends [
    never,
  ]
    ? K
    : never;
}[RoomExpansion];

/** A page of rooms that was requested with `expand`: what was asked for is promised. */
export function expandedRoomPageSchema<E extends readonly RoomExpansion[]>(expand: E | undefined) {
  const asked = Object.entries(expansions).filter(([name]) => Array.isArray(expand) && expand.includes(name));
  const key = asked.map(([name]) => name).join();
  const schema = expandedPages.get(key) ?? pageSchema(responseObject({ ...roomFields, ...Object.fromEntries(asked) }));
  expandedPages.set(key, schema);
  return schema as z.core.$ZodType<PageEnvelope<Room<NamedExpansions<E>>>>;
}

export const roomListParamsSchema = requestObject({
  /** Only these rooms. */
  ids: idListParam("roomId"),
  /** `owned` by the user, `shared` with the user, or `all` that the user can reach. The service's default is `all` (level A). */
  scope: z.optional(enumOf(SCOPES)),
  /** Search by room title. */
  search: z.optional(z.string()),
  /** Related resources to include in each room. */
  expand: z.optional(readonlyArray(enumOf(ROOM_EXPANSIONS))),
  ...pageParams,
});
export type RoomListParams<E extends readonly RoomExpansion[] = readonly RoomExpansion[]> = Omit<
  z.infer<typeof roomListParamsSchema>,
  "expand"
> & { expand?: E | undefined };
