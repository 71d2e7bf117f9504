import { listRooms } from "../endpoints/rooms.js";
import { list } from "../lists/list.js";
import type { ListOptions } from "../lists/list-options.js";
import type { PagePromise } from "../lists/page.js";
import { expandedSchemas } from "../schemas/expansion.js";
import {
  type ExpandedRoom,
  type Room,
  type RoomExpansion,
  type RoomGetParams,
  type RoomListParams,
  roomExpansions,
  roomFields,
  roomGetParamsSchema,
} from "../schemas/room.js";
import type { ApiPromise } from "../transport/api-promise.js";
import type { RequestOptions } from "../transport/request-options.js";
import { Resource, transportOf } from "../transport/resource.js";
import { getById } from "./get-by-id.js";

const roomSchemaFor = /* @__PURE__ */ expandedSchemas<Room>(roomFields, roomExpansions);

/** Rooms group related meetings. */
export class Rooms extends Resource {
  /**
   * The rooms that the user can reach. With `expand`, each room has the requested `meetings` or `documents`.
   *
   * The names of the query parameters are documented. Guide: docs/lists.md.
   * @example
   * for await (const room of notetaker.rooms.list({ scope: "owned", expand: ["meetings"] })) {
   *   console.log(room.title, room.meetings.length);
   * }
   */
  list<const E extends readonly RoomExpansion[] = []>(
    params: RoomListParams<E> = {},
    options?: ListOptions,
  ): PagePromise<ExpandedRoom<E>> {
    return list(transportOf(this), { ...listRooms, params, response: roomSchemaFor }, options);
  }

  /**
   * One room (`room_…`). With `expand`, it has the requested `meetings` or `documents`.
   * @throws {NotFoundError} if there is no such room, or the user cannot reach it
   * @beta The service has no endpoint for one room. The list is requested with a filter for this id; the name of that
   * query parameter is documented.
   * @example
   * const room = await notetaker.rooms.get("room_1", { expand: ["meetings"] });
   */
  get<const E extends readonly RoomExpansion[] = []>(
    roomId: string,
    params: RoomGetParams<E> = {},
    options?: RequestOptions,
  ): ApiPromise<ExpandedRoom<E>> {
    const operation = { ...listRooms, name: "rooms.get", ids: { roomId }, params, query: roomGetParamsSchema };
    return getById(transportOf(this), { ...operation, response: roomSchemaFor<ExpandedRoom<E>> }, options);
  }
}
