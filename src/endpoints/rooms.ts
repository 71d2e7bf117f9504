import { plainPage } from "../schemas/page.js";
import { roomListParamsSchema, roomSchema } from "../schemas/room.js";
import { endpoint } from "./endpoint.js";

export const listRooms = endpoint({
  name: "rooms.list",
  route: "GET /rooms",
  query: roomListParamsSchema,
  names: "rooms",
  response: roomSchema,
  page: plainPage,
  retry: "repeatable",
  invalid: "validation",
  source: "specified",
});

export const roomEndpoints = [listRooms] as const;
