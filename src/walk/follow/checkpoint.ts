/**
 * The state of a follower, and its checkpoint: JSON that is opaque to users. A settled meeting is one short text in it,
 * so that a thousand meetings fit into 64 KB.
 */
import * as z from "zod/mini";
import { HOUR_MS } from "../../async/timers.js";
import { parseJson } from "../../json/parse-json.js";
import { DOCUMENT_FORMATS } from "../../schemas/document.js";
import { enumOf } from "../../schemas/primitives.js";
import { type ItemPlace, listPlaceShape } from "../../sync/meeting-list.js";
import type { WantedPieces } from "../../sync/pieces.js";
import type { PeriodOptions } from "../../sync/read-options.js";
import { momentOf, savedMoment } from "../walk-options.js";
import type { Entry, Open } from "./entry.js";

/** Times are in milliseconds since 1970. */
export interface FollowState {
  readonly since: PeriodOptions["since"];
  /** When the loop began for the first time. */
  beganMs: number;
  /** How far the history has been read; `undefined` at its end. */
  history: ItemPlace | undefined;
  /** When the last successful poll began. */
  polledMs: number;
  /** When the last full reading began. */
  readMs: number;
  /** By the id of the meeting. */
  readonly entries: Map<string, Entry>;
}

const checkpointSchema = z.object({
  v: z.literal("follow1"),
  since: savedMoment,
  began: z.number(),
  polled: z.number(),
  read: z.number(),
  history: z.optional(z.object({ ...listPlaceShape(), seen: z.array(z.string()) })),
  /** What is wanted of a meeting. An entry without a number has the first of them. */
  wanted: z.array(
    z.union([
      z.literal(false),
      z.object({ transcript: z.boolean(), recording: z.boolean(), documents: z.array(enumOf(DOCUMENT_FORMATS)) }),
    ]),
  ),
  entries: z.record(z.string(), z.string()),
});

const ID_PREFIX = "mtg_";

/** Most open meetings lack their transcript. */
const TRANSCRIPT = "transcript";
const SHORT_TRANSCRIPT = "t";

/** A whole number in base 36; empty for a time that never comes. */
const short = (value: number | undefined, unit = 1_000): string =>
  value === undefined || !Number.isFinite(value) ? "" : Math.ceil(value / unit).toString(36);
const long = (text: string, unit = 1_000): number => Number.parseInt(text, 36) * unit;

function formatOpen({ lacks, firstSeenMs, completedMs, tries, dueMs }: Open): string {
  const names = lacks.map((name) => (name === TRANSCRIPT ? SHORT_TRANSCRIPT : encodeURIComponent(name))).join(",");
  return [names, short(firstSeenMs), short(completedMs), short(tries, 1), short(dueMs)].join(" ");
}

function parseOpen([names = "", firstSeen = "", completed = "", tries = "", due = ""]: readonly string[]): Open {
  return {
    lacks:
      names === ""
        ? []
        : names.split(",").map((name) => (name === SHORT_TRANSCRIPT ? TRANSCRIPT : decodeURIComponent(name))),
    firstSeenMs: long(firstSeen),
    completedMs: completed === "" ? undefined : long(completed),
    tries: long(tries, 1),
    dueMs: due === "" ? Number.POSITIVE_INFINITY : long(due),
    postponed: 0,
  };
}

export function formatCheckpoint({ since, beganMs, history, polledMs, readMs, entries }: FollowState): string {
  const wanted: (WantedPieces | false)[] = [];
  const indexOf = new Map<string, number>();
  const texts: Record<string, string> = {};
  for (const [id, entry] of entries) {
    const key = JSON.stringify(entry.wanted);
    const index = indexOf.get(key) ?? wanted.push(entry.wanted) - 1;
    indexOf.set(key, index);
    const place = `${entry.print}.${short(entry.startMs, HOUR_MS)}`;
    const rest = entry.open === undefined ? [] : [formatOpen(entry.open)];
    texts[id.slice(ID_PREFIX.length)] =
      index === 0 && rest.length === 0 ? place : [place, short(index, 1), ...rest].join(" ");
  }
  return JSON.stringify({
    v: "follow1",
    since,
    began: beganMs,
    polled: polledMs,
    read: readMs,
    history,
    wanted,
    entries: texts,
  });
}

/** The state that {@link formatCheckpoint} wrote, or `undefined` if `text` is not such a checkpoint. */
export function parseCheckpoint(text: string): FollowState | undefined {
  const { data } = z.safeParse(checkpointSchema, parseJson(text));
  if (data === undefined) return undefined;
  const entries = new Map<string, Entry>();
  for (const [id, entry] of Object.entries(data.entries)) {
    const [place = "", index = "0", ...open] = entry.split(" ");
    const [print = "", hour = ""] = place.split(".");
    const wanted = data.wanted[long(index, 1)];
    const startMs = long(hour, HOUR_MS);
    if (wanted === undefined || Number.isNaN(startMs)) return undefined;
    entries.set(`${ID_PREFIX}${id}`, {
      print,
      startMs,
      wanted,
      open: open.length === 0 ? undefined : parseOpen(open),
    });
  }
  const { began, polled, read, history } = data;
  return { since: momentOf(data.since), beganMs: began, history, polledMs: polled, readMs: read, entries };
}
