import { expandedSchemas, type NamedExpansions } from "../schemas/expansion.js";
import {
  type Room,
  type RoomExpansion,
  type RoomListParams,
  type RoomWith,
  roomExpansions,
  roomFields,
  roomListParamsSchema,
} from "../schemas/room.js";
import { list } from "../transport/list.js";
import type { ListOptions } from "../transport/list-options.js";
import type { PagePromise } from "../transport/page.js";
import { path } from "../transport/path.js";
import type { Transport } from "../transport/transport.js";

const roomSchemaWith = /* @__PURE__ */ expandedSchemas<Room>(roomFields, roomExpansions);

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
  list<const E extends readonly RoomExpansion[]>(
    params: RoomListParams & { expand: E },
    options?: ListOptions,
  ): PagePromise<RoomWith<NamedExpansions<E>>>;
  list(params?: RoomListParams, options?: ListOptions): PagePromise<Room>;
  list(params: RoomListParams = {}, options?: ListOptions): PagePromise<Room> {
    return list(
      this.#transport,
      {
        operation: "rooms.list",
        path: path`/rooms`,
        params,
        paramsSchema: roomListParamsSchema,
        names: "rooms",
        row: ({ expand }) => roomSchemaWith(expand),
      },
      options,
    );
  }
}
