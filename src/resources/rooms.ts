import type { ListOptions } from "../options.js";
import {
  expandedRoomPageSchema,
  type NamedExpansions,
  type Room,
  type RoomExpansion,
  type RoomListParams,
  roomListParamsSchema,
} from "../schemas/room.js";
import { checked } from "../transport/operation.js";
import { list, type PagePromise } from "../transport/page.js";
import { path } from "../transport/path.js";
import type { Transport } from "../transport/transport.js";

/** Rooms group related meetings. */
export class Rooms {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * The rooms that the user can reach. `expand` makes `room.meetings` or `room.documents` present.
   *
   * Interface, "GET /rooms". The names of the query parameters are level A.
   *
   * @example
   * for await (const room of notetaker.rooms.list({ scope: "owned", expand: ["meetings"] })) {
   *   console.log(room.title, room.meetings.length);
   * }
   */
  list<const E extends readonly RoomExpansion[] = readonly []>(
    params: RoomListParams<E> = {},
    options?: ListOptions,
  ): PagePromise<Room<NamedExpansions<E>>> {
    return list(
      this.#transport,
      {
        operation: "rooms.list",
        method: "GET",
        path: path`/rooms`,
        query: checked(roomListParamsSchema, params),
        names: "rooms",
        response: expandedRoomPageSchema(params?.expand),
        retry: "repeatable",
      },
      options,
    );
  }
}
