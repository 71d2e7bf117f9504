/** The endpoint of rooms (API specification, "GET /rooms"). */

import { listRooms } from "../../resources/rooms.js";
import { json } from "../http/exchange.js";
import { newestFirst, paginate, sortedByKey } from "../http/paginate.js";
import { answer } from "../http/route.js";
import type { RoomRecord } from "../state/records.js";
import { roomToWire } from "../state/to-wire.js";

const sortKey = (room: RoomRecord) => newestFirst(room.created_at, room.id);

export const roomRoutes = [
  answer(listRooms, ({ context: { state, settings }, query }) => {
    const { ids, scope = "all", search = "", expand = [] } = query;
    const rooms = [...state.rooms.values()].filter(
      (room) =>
        (ids === undefined || ids.includes(room.id)) &&
        (scope === "all" || room.owned === (scope === "owned")) &&
        room.title.toLowerCase().includes(search.toLowerCase()),
    );
    const toWire = (room: RoomRecord) => roomToWire(state, room, new Set(expand));
    return json(paginate(sortedByKey(rooms, sortKey), { query, dialect: settings.dialect, sortKey, toWire }));
  }),
];
