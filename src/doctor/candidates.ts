/** The names that are tried, in this order, if the default name is not honoured; and the purpose of each parameter. */
import type { ASSUMED_QUERY } from "../assumptions.js";
import type { Evidence } from "./report.js";

type Names = typeof ASSUMED_QUERY;
export type Group = keyof Names;
/** What a parameter means: its name in this library. A parameter that is added there and not here does not compile. */
export type Meaning = { [G in Group]: keyof Names[G] }[Group];

/** No other names are tried for these. They are checked last: if no requests remain, the least is lost. */
export const OF_MEETINGS_ALONE = ["status", "start_date", "end_date", "participant", "company", "room_id"] as const;

export const CANDIDATES: Readonly<Record<string, readonly string[]>> = {
  ids: ["ids", "room_ids", "meeting_ids", "room_id", "meeting_id", "id[]", "ids[]"],
  scope: ["ownership", "filter", "visibility", "owner"],
  q: [],
  search: ["q", "query", "title", "name", "keyword"],
  expand: ["include", "expand[]", "with", "embed", "fields"],
  cursor: ["after", "next_cursor", "page_token", "starting_after", "next", "page"],
  limit: ["page_size", "per_page", "size", "first", "count", "max"],
  format: ["output_format", "output", "as", "type", "content_format"],
} satisfies Record<Exclude<Meaning, (typeof OF_MEETINGS_ALONE)[number]>, readonly string[]>;

export const TITLES: Readonly<Record<string, string>> = {
  ids: "filter by ids",
  scope: "ownership scope",
  search: "search by title",
  expand: "expansion of related resources",
  cursor: "pagination cursor",
  limit: "page size",
  format: "output format",
  status: "filter by status",
  start_date: "first day",
  end_date: "last day",
  q: "semantic search",
  participant: "filter by participant",
  company: "filter by company",
  room_id: "filter by room",
} satisfies Record<Meaning, string>;

/** The level of evidence for the default names of each group: see `assumptions.ts`. */
export const EVIDENCE: Readonly<Record<Group, Evidence>> = {
  rooms: "documented",
  permissions: "guessed",
  documents: "documented",
  meetings: "documented",
};
