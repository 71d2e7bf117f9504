/** Interface, "GET /rooms". */
import { ROOM_EXPANSIONS } from "../../schemas/room.js";
import { SCOPES } from "../../schemas/scope.js";
import type { WireNames } from "../../unshown.js";
import { json } from "../http/exchange.js";
import { newestFirst, pageQuery, paginate, sortedByKey } from "../http/paginate.js";
import type { Route } from "../http/route.js";
import { anyText, oneOf, queryIdOf } from "../http/rules.js";
import type { RoomRecord } from "../state/records.js";
import { roomToWire } from "../state/to-wire.js";

const place = (room: RoomRecord) => newestFirst(room.created_at, room.id);

export const roomRoutes = (names: WireNames["rooms"]): Route[] => [
  {
    method: "GET",
    path: "/rooms",
    invalid: "validation",
    query: {
      [names.ids]: { rule: queryIdOf("room_"), repeated: true },
      [names.scope]: { rule: oneOf(SCOPES) },
      [names.search]: { rule: anyText },
      [names.expand]: { rule: oneOf(ROOM_EXPANSIONS), repeated: true },
      ...pageQuery(names),
    },
    answer: ({ world: { state }, query }) => {
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
      return json(paginate(sortedByKey(rooms, place), place, query, names, (room) => roomToWire(state, room, expand)));
    },
  },
];
