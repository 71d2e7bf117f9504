/** Rooms: see "Room" and "GET /rooms" in the API specification. */
import * as z from "zod/mini";
import { documentReferenceSchema } from "./document.js";
import type { Expanded, NamedExpansions } from "./expansion.js";
import { idListParam, roomId } from "./id-schemas.js";
import { meetingSummarySchema } from "./meeting.js";
import { type PageParams, pageParams, SCOPES } from "./page.js";
import {
  enumOf,
  type Infer,
  integer,
  nullish,
  readonlyArray,
  requestObject,
  responseObject,
  timestamp,
} from "./primitives.js";
import { responseArray } from "./response-array.js";

/** The schemas of a room's fields, without any requested expansion. */
export const roomFields = {
  /** `room_…` */
  id: roomId,
  /** The title of the room. */
  title: z.string(),
  /** When the room was created: an ISO 8601 timestamp with offset. */
  created_at: timestamp(),
  /** When the room was last changed: an ISO 8601 timestamp with offset. */
  updated_at: timestamp(),
  /** The number of meetings in the room. */
  meeting_count: integer(),
  /** The URL for sharing the room. Documented: may be absent or `null`. */
  share_url: nullish(z.string()),
  /** The room's meetings, if the list was requested with `expand: ["meetings"]`. */
  meetings: nullish(responseArray(meetingSummarySchema)),
  /** The room's documents, if the list was requested with `expand: ["documents"]`. Their fields are documented. */
  documents: nullish(responseArray(documentReferenceSchema)),
};

/** A room groups related meetings. */
export interface Room extends Infer<typeof roomFields> {}

export const roomSchema = responseObject<Room>(roomFields);

export const ROOM_EXPANSIONS = ["documents", "meetings"] as const;
/** An expansion of a room: related resources that a request can include. */
export type RoomExpansion = (typeof ROOM_EXPANSIONS)[number];

/** A room that was requested with the expansions `E`: their fields are present. */
export type RoomWith<E extends RoomExpansion> = Expanded<Room, E>;

/** A room that was requested with an `expand` of the type `E`. */
export type ExpandedRoom<E extends readonly RoomExpansion[]> = [NamedExpansions<E>] extends [never]
  ? Room
  : RoomWith<NamedExpansions<E>>;

export const roomExpansions = {
  meetings: responseArray(meetingSummarySchema),
  documents: responseArray(documentReferenceSchema),
};

const roomGetParams = { expand: z.optional(readonlyArray(enumOf(ROOM_EXPANSIONS))) };

const roomFilters = {
  /** Only these rooms: 1 to 100 ids of the form `room_…`. Default: all. */
  ids: idListParam("roomId"),
  /** `owned` by the user, `shared` with the user, or `all` that the user can reach. Default: `all` (documented). */
  scope: z.optional(enumOf(SCOPES)),
  /** Only rooms whose title matches this text. Default: all. */
  // Of any length: the API specification sets no limit.
  search: z.optional(z.string()),
};

export interface RoomListParams<E extends readonly RoomExpansion[] = readonly RoomExpansion[]>
  extends Infer<typeof roomFilters>,
    PageParams {
  /**
   * Related resources to include in each room: `meetings`, `documents`. Default: none. A value that may be `undefined`
   * at run time makes the type of a room promise fields that it may not have.
   */
  expand?: E | undefined;
}

export const roomListParamsSchema = requestObject<RoomListParams>({ ...roomFilters, ...roomGetParams, ...pageParams });

/** Parameters of `rooms.get`. */
export interface RoomGetParams<E extends readonly RoomExpansion[] = readonly RoomExpansion[]> {
  /** Related resources to include in the room: `meetings`, `documents`. Default: none. */
  expand?: E | undefined;
}

export const roomGetParamsSchema = requestObject<RoomGetParams>(roomGetParams);
