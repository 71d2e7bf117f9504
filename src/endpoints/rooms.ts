import { roomListParamsSchema, roomSchema } from "../schemas/room.js";
import { endpoint } from "./endpoint.js";

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
