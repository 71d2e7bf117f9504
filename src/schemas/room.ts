/** Rooms: see "Room" and "GET /rooms" in the API specification. */
import * as z from "zod/mini";
import { type DocumentReference, documentReferenceSchema } from "./document.js";
import type { Expanded } from "./expansion.js";
import { idListParam, type RoomId, roomId } from "./ids.js";
import { type MeetingSummary, meetingSummarySchema } from "./meeting.js";
import { type PageParams, pageParams, SCOPES, type Scope } from "./page.js";
import {
  enumOf,
  integer,
  nullish,
  readonlyArray,
  requestObject,
  responseObject,
  type ShapeOf,
  timestamp,
} from "./primitives.js";
import { responseArray } from "./response-array.js";

/** A room groups related meetings. */
export interface Room {
  /** `room_…` */
  id: RoomId;
  /** The title of the room. */
  title: string;
  /** When the room was created: an ISO 8601 timestamp with offset. */
  created_at: string;
  /** When the room was last changed: an ISO 8601 timestamp with offset. */
  updated_at: string;
  /** The number of meetings in the room. */
  meeting_count: number;
  /** The URL for sharing the room. Documented: may be absent or `null`. */
  share_url?: string | null | undefined;
  /** The room's meetings, if the list was requested with `expand: ["meetings"]`. */
  meetings?: MeetingSummary[] | null | undefined;
  /**
   * The room's documents, if the list was requested with `expand: ["documents"]`. The fields of each are documented.
   */
  documents?: DocumentReference[] | null | undefined;
}

/** The expansions of a room: related resources that a request can include. */
export const ROOM_EXPANSIONS = ["documents", "meetings"] as const;
/** See {@link ROOM_EXPANSIONS}. */
export type RoomExpansion = (typeof ROOM_EXPANSIONS)[number];

/** A room that was requested with the expansions `E`: their fields are present. */
export type RoomWith<E extends RoomExpansion> = Expanded<Room, E>;

export const roomExpansions = {
  meetings: responseArray(meetingSummarySchema),
  documents: responseArray(documentReferenceSchema),
};

/** The schemas of a room's fields, without any requested expansion. */
export const roomFields: ShapeOf<Room> = {
  id: roomId,
  title: z.string(),
  created_at: timestamp(),
  updated_at: timestamp(),
  meeting_count: integer(),
  share_url: nullish(z.string()),
  meetings: nullish(roomExpansions.meetings),
  documents: nullish(roomExpansions.documents),
};

/** The zod schema of {@link Room}. */
export const roomSchema = responseObject<Room>(roomFields);

/** Parameters of `rooms.list`. */
export interface RoomListParams<E extends readonly RoomExpansion[] = readonly RoomExpansion[]> extends PageParams {
  /** Only these rooms: 1 to 100 ids of the form `room_…`. Default: all. */
  ids?: readonly string[] | undefined;
  /** `owned` by the user, `shared` with the user, or `all` that the user can reach. Default: `all` (documented). */
  scope?: Scope | undefined;
  /** Only rooms whose title matches this text. Default: all. */
  search?: string | undefined;
  /**
   * Related resources to include in each room: `meetings`, `documents`. Default: none. A value that may be `undefined`
   * at run time makes the type of a room promise fields that it may not have.
   */
  expand?: E | undefined;
}

/** The zod schema of {@link RoomListParams}. */
export const roomListParamsSchema = requestObject<RoomListParams>({
  ids: idListParam("roomId"),
  scope: z.optional(enumOf(SCOPES)),
  // Of any length: the API specification sets no limit.
  search: z.optional(z.string()),
  expand: z.optional(readonlyArray(enumOf(ROOM_EXPANSIONS))),
  ...pageParams,
});

/** Parameters of `rooms.get`. */
export interface RoomGetParams<E extends readonly RoomExpansion[] = readonly RoomExpansion[]> {
  /** Related resources to include in the room: `meetings`, `documents`. Default: none. */
  expand?: E | undefined;
}

export const roomGetParamsSchema = requestObject<RoomGetParams>({
  expand: z.optional(readonlyArray(enumOf(ROOM_EXPANSIONS))),
});
