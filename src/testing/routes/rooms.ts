/** The endpoint of rooms (API specification, "GET /rooms"). */

import type { WireNames } from "../../assumptions.js";
import { SCOPES } from "../../schemas/page.js";
import { ROOM_EXPANSIONS } from "../../schemas/room.js";
import { json } from "../http/exchange.js";
import { newestFirst, pageQuery, paginate, sortedByKey } from "../http/paginate.js";
import type { Route } from "../http/route.js";
import { anyText, oneOf, queryIdRule } from "../http/rules.js";
import type { RoomRecord } from "../state/records.js";
import { roomToWire } from "../state/to-wire.js";

const sortKey = (room: RoomRecord) => newestFirst(room.created_at, room.id);

export const roomRoutes = (names: WireNames["rooms"]): Route[] => [
  {
    method: "GET",
    path: "/rooms",
    invalid: "validation",
    query: {
      [names.ids]: { rule: queryIdRule("roomId"), repeated: true },
      [names.scope]: { rule: oneOf(SCOPES) },
      [names.search]: { rule: anyText },
      [names.expand]: { rule: oneOf(ROOM_EXPANSIONS), repeated: true },
      ...pageQuery(names),
    },
    answer: ({ context: { state, settings }, query }) => {
      const ids = new Set(query.getAll(names.ids));
      const scope = query.get(names.scope) ?? "all";
      const search = (query.get(names.search) ?? "").toLowerCase();
      const expand = new Set(query.getAll(names.expand));
      const rooms = [...state.rooms.values()].filter(
        (room) =>
          (ids.size === 0 || ids.has(room.id)) &&
          (scope === "all" || room.owned === (scope === "owned")) &&
          room.title.toLowerCase().includes(search),
      );
      const toWire = (room: RoomRecord) => roomToWire(state, room, expand);
      return json(paginate(sortedByKey(rooms, sortKey), { query, names, dialect: settings.dialect, sortKey, toWire }));
    },
  },
];
