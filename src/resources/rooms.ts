/** The methods of `notetaker.rooms`: each one describes its request, and passes it to the transport. */
import { expandedSchemas, type NamedExpansions, type WithExpand } from "../schemas/expansion.js";
import {
  type Room,
  type RoomExpansion,
  type RoomGetParams,
  type RoomListParams,
  type RoomWith,
  roomExpansions,
  roomFields,
  roomGetParamsSchema,
  roomListParamsSchema,
  roomSchema,
} from "../schemas/room.js";
import type { ApiPromise } from "../transport/api-promise.js";
import { endpoint } from "../transport/endpoint.js";
import { list } from "../transport/list.js";
import type { ListOptions } from "../transport/list-options.js";
import type { PagePromise } from "../transport/page.js";
import type { RequestOptions } from "../transport/request-options.js";
import { Resource, transportOf } from "../transport/resource.js";
import { getById } from "./get-by-id.js";

export const listRooms = endpoint({
  name: "rooms.list",
  route: "GET /rooms",
  query: roomListParamsSchema,
  names: "rooms",
  response: roomSchema,
  retry: "repeatable",
  invalid: "validation",
  source: "specified",
});

const roomSchemaFor = /* @__PURE__ */ expandedSchemas<Room>(roomFields, roomExpansions);

/** Rooms group related meetings. */
export class Rooms extends Resource {
  /**
   * The rooms that the user can reach. With `expand`, each room has the requested `meetings` or `documents`.
   *
   * The names of the query parameters are documented. Guide: docs/lists.md.
   *
   * @example
   * for await (const room of notetaker.rooms.list({ scope: "owned", expand: ["meetings"] })) {
   *   console.log(room.title, room.meetings.length);
   * }
   */
  list<const E extends readonly RoomExpansion[]>(
    params: WithExpand<RoomListParams, E>,
    options?: ListOptions,
  ): PagePromise<RoomWith<NamedExpansions<E>>>;
  list(params?: RoomListParams, options?: ListOptions): PagePromise<Room>;
  list(params: RoomListParams = {}, options?: ListOptions): PagePromise<Room> {
    return list(transportOf(this), { ...listRooms, params, response: roomSchemaFor }, options);
  }

  /**
   * One room (`room_…`). With `expand`, it has the requested `meetings` or `documents`.
   *
   * @throws {NotFoundError} {@link NotFoundError} if there is no such room, or the user cannot reach it
   * @beta The service has no endpoint for one room. The list is requested with a filter for this id; the name of that
   * query parameter is documented.
   * @example
   * const room = await notetaker.rooms.get("room_1", { expand: ["meetings"] });
   */
  get<const E extends readonly RoomExpansion[]>(
    roomId: string,
    params: WithExpand<RoomGetParams, E>,
    options?: RequestOptions,
  ): ApiPromise<RoomWith<NamedExpansions<E>>>;
  get(roomId: string, params?: RoomGetParams, options?: RequestOptions): ApiPromise<Room>;
  get(roomId: string, params: RoomGetParams = {}, options?: RequestOptions): ApiPromise<Room> {
    const operation = { ...listRooms, name: "rooms.get", ids: { roomId }, params, query: roomGetParamsSchema };
    return getById(transportOf(this), { ...operation, response: roomSchemaFor }, options);
  }
}
