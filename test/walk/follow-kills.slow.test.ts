/**
 * A process that follows a small account is killed at each moment of its life in turn: before and after each request,
 * before and after each item, checkpoint or deletion is stored. The next process resumes from what was stored.
 */
import { type WalkedMeeting, walkMeetings } from "notetaker-sdk";
import { aDocument, aMeeting } from "notetaker-sdk/testing";
import { afterEach, expect, it, vi } from "vitest";
import { clientOf, UNLIMITED } from "../node/support/account.js";
import { DAY, databaseOf, HOUR, MINUTE, NOW, serviceOf } from "./support/following.js";

afterEach(() => void vi.useRealTimers());

const at = (ms: number) => new Date(NOW + ms).toISOString();

/** The life of an account; the process is killed at its moment number `killAt`. Returns the number of moments. */
async function life(killAt: number) {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  const service = serviceOf({
    meetings: [
      aMeeting({ id: "mtg_old", start_time: at(-40 * DAY) }),
      aMeeting({ id: "mtg_ended", start_time: at(-HOUR) }),
      aMeeting({ id: "mtg_called", start_time: at(-MINUTE), status: "processing" }),
    ],
  });
  const database = databaseOf();
  const stores: string[] = [];
  let moments = 0;
  let isKilled = false;

  /** A process that runs until it has caught up, or is killed. */
  const runProcess = () =>
    new Promise<void>((resolve, reject) => {
      const process = new AbortController();
      const moment = (): Promise<void> | undefined => {
        const isDead = process.signal.aborted;
        if (!isDead) moments += 1;
        if (!isDead && moments !== killAt) return undefined;
        process.abort();
        isKilled = true;
        resolve();
        return new Promise(() => {});
      };
      const fetch: typeof service.fetch = async (...request) => {
        await moment();
        const response = await service.fetch(...request);
        await moment();
        return response;
      };
      const store = async (change: () => void) => {
        await moment();
        change();
        await moment();
      };
      const follow = async () => {
        const walk = walkMeetings(clientOf(service, { fetch }), {
          ...{ follow: "once", resume: database.checkpoint, signal: process.signal, ...UNLIMITED },
          wants: database.wants,
          known: () => database.stored.keys(),
          onGone: (id) => store(() => void database.stored.delete(id)),
          onIdle: (checkpoint) => store(() => database.mark(checkpoint)),
        });
        for await (const item of walk) {
          await store(() => {
            database.save(item);
            stores.push(textOf(item));
          });
        }
      };
      follow().then(resolve, (error) => void (process.signal.aborted || reject(error)));
    });
  const run = async (passedMs: number) => {
    vi.setSystemTime(Date.now() + passedMs);
    await service.clock.advance(0);
    do {
      isKilled = false;
      await runProcess();
    } while (isKilled);
  };

  /** Compares the database with the account. */
  const compare = () => {
    const account = service.meetings.list().map(({ id, title, status, transcript, documents }) => {
      const hasTranscript = status === "completed" && transcript !== undefined;
      return [id, title ?? null, status, hasTranscript, hasTranscript ? [...documents].sort() : []];
    });
    expect(rowsOf(database.stored.values()), `killed at moment ${killAt}`).toEqual(account.sort());
  };

  await run(0);
  compare();
  await service.meetings.transcribe("mtg_called");
  service.faults.next("GET /meetings/:id/transcript", { status: 404 });
  await run(10 * MINUTE);
  await run(10 * MINUTE);
  compare();
  await service.meetings.summarise("mtg_called");
  const { id } = await clientOf(service).meetings.upload(new Uint8Array(8), { contentType: "audio/wav" });
  await run(10 * MINUTE);
  compare();
  await service.meetings.finish(id);
  Object.assign(service.meetings.get("mtg_ended") as object, { title: "Renamed" });
  await run(2 * HOUR);
  compare();
  service.meetings.addDocument("mtg_old", aDocument({ title: "A late summary" }));
  service.meetings.delete("mtg_ended");
  await run(25 * HOUR);
  compare();
  expect(new Set(stores).size, `killed at moment ${killAt}`).toBe(stores.length);
  return moments;
}

const rowOf = ({ meeting, transcript, documents }: WalkedMeeting) => [
  meeting.id,
  meeting.title ?? null,
  meeting.status,
  transcript !== undefined,
  documents.map(({ id }) => id).sort(),
];
const rowsOf = (items: Iterable<WalkedMeeting>) => [...items].map(rowOf).sort();
const textOf = (item: WalkedMeeting) => JSON.stringify([rowOf(item), item.missing.map(({ what }) => what)]);

it("loses nothing and stores nothing twice, whenever it is killed", async () => {
  const moments = await life(0);
  expect(moments).toBeGreaterThan(60);
  for (let killAt = 1; killAt <= moments; killAt += 1) await life(killAt);
});
