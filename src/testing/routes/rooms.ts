import { getDocument } from "../../endpoints/documents.js";
import { listRooms } from "../../endpoints/rooms.js";
import { renderDocument } from "../content/render-document.js";
import { jsonResponse } from "../http/exchange.js";
import { newestFirst, paginate } from "../http/paginate.js";
import { answer } from "../http/route.js";
import type { MeetingRecord, RoomRecord } from "../state/records.js";
import { documentsToWire, roomToWire, toWire } from "../state/to-wire.js";
import { findDocument } from "./find-record.js";

export const roomRoutes = [
  answer(listRooms, (call) => {
    const { state } = call.context;
    const { ids, scope = "all", search = "", expand = [] } = call.query;
    const rooms = [...state.rooms.values()].filter(
      (room) =>
        (ids === undefined || ids.includes(room.id)) &&
        (scope === "all" || room.owned === (scope === "owned")) &&
        room.title.toLowerCase().includes(search.toLowerCase()),
    );
    const sortKey = (room: RoomRecord) => newestFirst(room.created_at, room.id);
    const roomWithExpansions = (room: RoomRecord) => {
      const meetings = room.meetings.map((id) => state.meetings.get(id) as MeetingRecord);
      return roomToWire(room, meetings.length, {
        ...(expand.includes("meetings") && { meetings: meetings.map((meeting) => toWire("summary", meeting)) }),
        ...(expand.includes("documents") && {
          documents: meetings.flatMap((meeting) => documentsToWire(state, meeting)),
        }),
      });
    };
    return jsonResponse(paginate(call, rooms, sortKey, roomWithExpansions));
  }),
  answer(getDocument, (call) => {
    const document = findDocument(call);
    const { format = "html" } = call.query;
    return jsonResponse(toWire("document", { ...document, format, content: renderDocument(format, document.blocks) }));
  }),
];
