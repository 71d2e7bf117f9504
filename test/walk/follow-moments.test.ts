/** The moments in which integrations lose meetings, as the emulator shows them. */
import { Notetaker, walkMeetings } from "notetaker-sdk";
import { aDocument, aMeeting, createEmulator, type EmulatorOptions } from "notetaker-sdk/testing";
import { createReceiver } from "notetaker-sdk/webhooks";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 2, 2, 9);

beforeEach(() => vi.useFakeTimers({ now: START, toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

/** A database of meetings, which `run` brings up to date as a cron job would. */
function database(options: EmulatorOptions = {}) {
  const seed = { meetings: [aMeeting({ id: "mtg_old", start_time: new Date(START - HOUR_MS).toISOString() })] };
  const service = createEmulator({ seed, now: Date.now, life: "manual", ...options });
  const notetaker = new Notetaker({ ...service.clientOptions, maxRetryDelayMs: 1 });
  const stored = new Map<string, { title: unknown; transcript: boolean; documents: number }>();
  const stores: string[] = [];
  let checkpoint: string | undefined;
  const run = async () => {
    const walk = walkMeetings(notetaker, {
      ...{ follow: "once", since: "2026-01-01", resume: checkpoint },
      known: () => stored.keys(),
      onGone: (id) => void stored.delete(id),
      onIdle: (idle) => {
        checkpoint = idle;
      },
    });
    for await (const { meeting, transcript, documents, checkpoint: next } of walk) {
      stored.set(meeting.id, {
        title: meeting.title,
        transcript: transcript !== undefined,
        documents: documents.length,
      });
      stores.push(meeting.id);
      checkpoint = next;
    }
  };
  const later = (ms: number) => {
    vi.setSystemTime(Date.now() + ms);
    return service.clock.advance(0);
  };
  const send = async () => {
    const { meeting_id } = await notetaker.meetings.sendBot({ meeting_url: "https://zoom.us/j/1234567890" });
    return meeting_id;
  };
  return { service, run, later, send, stored, stores };
}

const COMPLETE = { title: expect.any(String), transcript: true, documents: 2 };

test("a meeting whose webhook is lost is stored by the next run", async () => {
  const { service, run, later, send, stored } = database();
  const seen: string[] = [];
  const receiver = createReceiver({ secrets: "whsec_1" });
  receiver.on("meeting.transcript_ready", ({ meetingId }) => void seen.push(meetingId));
  service.webhooks.deliverTo(receiver.handle);
  await run();
  const id = await send();
  service.webhooks.next({ lose: true, times: 2 });
  await service.meetings.finish(id);
  await later(HOUR_MS);
  await run();
  expect(seen).toEqual([]);
  expect(stored.get(id)).toEqual(COMPLETE);
});

test("a failure in the middle of a run loses nothing and stores nothing twice", async () => {
  const { service, run, send, stored, stores } = database();
  const id = await send();
  await service.meetings.finish(id);
  service.faults.next("*", { status: 500, after: 3, times: 2 });
  await run();
  expect(service.faults.unused()).toEqual([]);
  expect(Object.fromEntries(stored)).toEqual({ mtg_old: COMPLETE, [id]: COMPLETE });
  expect(stores).toHaveLength(2);
});

test("what is late is stored when it is there: the list, the transcript, then the summary", async () => {
  const { service, run, later, send, stored } = database({ lagMs: 2 * HOUR_MS });
  const id = await send();
  await service.bots.leave(id);
  await run();
  expect(stored.has(id)).toBe(false);
  await later(3 * HOUR_MS);
  await service.meetings.transcribe(id);
  await run();
  expect(stored.get(id)).toMatchObject({ transcript: false, documents: 0 });
  await later(3 * HOUR_MS);
  await run();
  expect(stored.get(id)).toMatchObject({ transcript: true, documents: 0 });
  service.meetings.addDocument(id, aDocument({ title: "The call: summary" }));
  await later(3 * HOUR_MS);
  await run();
  expect(stored.get(id)).toMatchObject({ transcript: true, documents: 1 });
});

test("a stop of three days loses nothing that happened meanwhile", async () => {
  const { service, run, later, send, stored } = database();
  await run();
  const ids: string[] = [];
  for (let day = 0; day < 3; day++) {
    const id = await send();
    ids.push(id);
    await service.meetings.finish(id);
    await later(24 * HOUR_MS);
  }
  await run();
  expect(ids.map((id) => stored.get(id))).toEqual([COMPLETE, COMPLETE, COMPLETE]);
});

test("a deleted meeting is reported as gone, and one that is still there is not", async () => {
  const { service, run, later, send, stored } = database();
  const id = await send();
  await service.meetings.finish(id);
  await run();
  service.meetings.delete("mtg_old");
  await later(25 * HOUR_MS);
  await run();
  expect([...stored.keys()]).toEqual([id]);
});
