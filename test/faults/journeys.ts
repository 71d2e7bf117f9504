/** The journeys that meet the faults: methods that send more than one request. */
import assert from "node:assert/strict";
import type { Notetaker } from "notetaker-sdk";
import { subscribe } from "notetaker-sdk/webhooks";
import * as samples from "../support/samples.js";
import type { Success } from "./fault-server.js";
import {
  downloads,
  fetchesLink,
  type JourneyRule,
  likeCall,
  sentOnce,
  subscribes,
  waits,
  waitsForTranscript,
  waitsWithoutList,
} from "./journey-rules.js";

export interface Context {
  readonly notetaker: Notetaker;
  readonly origin: string;
  readonly fetch: typeof globalThis.fetch;
  /** Multiplies the time limits. */
  readonly patience: number;
  /** How long to wait for a meeting: short only where the service asks for a wait of years. */
  readonly waitMs: number;
}

export interface Journey {
  readonly name: string;
  /** Whether a request is one of those that may meet the fault. */
  isTarget(path: string): boolean;
  /** Resolves to the difference from a run without faults, or to `undefined` if there is none. */
  run(context: Context): Promise<string | undefined>;
  readonly rule: JourneyRule;
  /** The service without faults. `path` contains the query. */
  answer(path: string, origin: string): Success;
}

const ok = (value: unknown): Success => ({ status: 200, body: JSON.stringify(value) });

const meeting = { ...samples.meeting, documents: [samples.documentReference] };
const RECORDING = "0123456789".repeat(20);

function service(path: string, origin: string): Success {
  if (path.startsWith("/v1/rooms")) {
    const page = Number(new URL(path, origin).searchParams.get("cursor") ?? 1);
    const rooms = [{ ...samples.room, id: `room_${page}` }];
    return ok(samples.page(rooms, page < 3 ? String(page + 1) : null));
  }
  if (path.startsWith("/storage/")) {
    return { status: 200, body: RECORDING, headers: { "content-type": "video/mp4", etag: '"1"' } };
  }
  if (path.includes("/transcript")) return ok(samples.transcript);
  if (path.includes("/recording")) return ok({ meeting_id: "mtg_1", recording_url: `${origin}/storage/recording` });
  if (path.startsWith("/v1/meetings/upload")) return ok({ id: "mtg_1", status: "processing" });
  if (path.startsWith("/v1/meetings")) return ok(samples.page([meeting]));
  if (path.startsWith("/events")) {
    const event = { kind: "meeting.transcript_ready", meetingId: "mtg_1", payload: { meeting_id: "mtg_1" } };
    return {
      status: 200,
      body: `id: 1\ndata: ${JSON.stringify(event)}\n\n`,
      headers: { "content-type": "text/event-stream" },
    };
  }
  return { status: 404, body: JSON.stringify({ error: { code: "not_found", message: `nothing at ${path}` } }) };
}

const isMeetingList = (path: string) => /^\/v1\/meetings(\?|$)/.test(path);
const isTranscript = (path: string) => path.endsWith("/transcript");
const isRecordingLink = (path: string) => path.endsWith("/recording") && path.startsWith("/v1/");
const isStorage = (path: string) => path.startsWith("/storage/");

const within = ({ waitMs }: Context) => ({ pollMs: 20, timeoutMs: waitMs });

const journey = (
  name: string,
  isTarget: (path: string) => boolean,
  rule: JourneyRule,
  run: Journey["run"],
): Journey => ({ name, isTarget, rule, run, answer: service });

export const JOURNEYS: readonly Journey[] = [
  journey(
    "walk, second page",
    (path) => path.includes("cursor=2"),
    likeCall,
    async ({ notetaker: { rooms } }) => {
      const ids: string[] = [];
      for await (const room of rooms.list()) ids.push(room.id);
      assert.deepEqual(ids, ["room_1", "room_2", "room_3"]);
      return undefined;
    },
  ),
  journey(
    "upload of a stream",
    (path) => path.startsWith("/v1/meetings/upload"),
    sentOnce,
    async ({ notetaker: { meetings } }) => {
      const stream = new Blob(["audio"]).stream();
      assert.equal((await meetings.upload(stream, { contentType: "audio/wav" })).id, "mtg_1");
      return undefined;
    },
  ),
  journey("waitForTranscript, the list", isMeetingList, waitsWithoutList, waitForTranscript),
  journey("waitForTranscript, the transcript", isTranscript, waitsForTranscript, waitForTranscript),
  journey("waitForCompletion", isMeetingList, waits, async (context) => {
    assert.equal((await context.notetaker.meetings.waitForCompletion("mtg_1", within(context))).id, "mtg_1");
    return undefined;
  }),
  journey("waitForDocuments", isMeetingList, waits, async (context) => {
    assert.equal((await context.notetaker.meetings.waitForDocuments("mtg_1", within(context)))[0]?.id, "doc_1");
    return undefined;
  }),
  journey("downloadRecording, the link", isRecordingLink, fetchesLink, download),
  journey("downloadRecording, the storage", isStorage, downloads, download),
  journey(
    "subscribe",
    (path) => path.startsWith("/events"),
    subscribes,
    async ({ origin, fetch, patience }) => {
      const signal = AbortSignal.timeout(80_000 * patience);
      const options = { fetch: fetch as never, signal, staleAfterMs: 3_000 * patience };
      for await (const event of subscribe(`${origin}/events`, options)) {
        assert.equal(event.kind, "meeting.transcript_ready");
        return undefined;
      }
      return "ended without an event";
    },
  ),
];

async function download({ notetaker: { meetings } }: Context): Promise<string | undefined> {
  const { stream } = await meetings.downloadRecording("mtg_1");
  return (await new Response(stream).text()) === RECORDING ? undefined : "other bytes";
}

async function waitForTranscript(context: Context): Promise<undefined> {
  const transcript = await context.notetaker.meetings.waitForTranscript("mtg_1", within(context));
  assert.equal(transcript.meeting_id, "mtg_1");
}
