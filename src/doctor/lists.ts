/** The lists whose parameters the doctor checks, and the evidence for the names of each group of `assumptions.ts`. */
import type { ASSUMED_QUERY } from "../assumptions.js";
import type { Endpoint } from "../endpoints/endpoint.js";
import { listMeetings } from "../endpoints/meetings.js";
import { listPermissions } from "../endpoints/permissions.js";
import { listRooms } from "../endpoints/rooms.js";
import { MEETING_EXPANSIONS } from "../schemas/meeting.js";
import { ROOM_EXPANSIONS } from "../schemas/room.js";
import type { Evidence } from "./report.js";

export type Group = keyof typeof ASSUMED_QUERY;
export type ListGroup = Exclude<Group, "documents">;

/** A list of the service. If its path has the id of a meeting, the doctor looks for a meeting with at least 2 items. */
export interface List<G extends ListGroup = ListGroup> {
  readonly endpoint: Endpoint & { readonly names: G };
  /** The name of its items in the details of a check. */
  readonly item: string;
  /** The fields that are sent on request only. */
  readonly expansions: readonly string[];
  /** Only the owner of a meeting can read the list. */
  readonly ownerOnly?: true;
}

/** In the order of the checks. */
export const LISTS: { readonly [G in ListGroup]: List<G> } = {
  rooms: { endpoint: listRooms, item: "room", expansions: ROOM_EXPANSIONS },
  meetings: { endpoint: listMeetings, item: "meeting", expansions: MEETING_EXPANSIONS },
  permissions: { endpoint: listPermissions, item: "permission", expansions: [], ownerOnly: true },
};

/** At the levels of evidence of `assumptions.ts`. */
export const EVIDENCE: Readonly<Record<Group, Evidence>> = {
  rooms: "documented",
  meetings: "documented",
  documents: "documented",
  permissions: "guessed",
};
