/**
 * A random life of an account: meetings appear, complete, get late transcripts and summaries, are renamed and deleted;
 * events are lost, requests fail, the process is killed and stays away. In the end the database is as the account, and
 * nothing was stored unchanged. An older checkpoint may win: then only the second does not hold.
 */
import fc from "fast-check";
import { ServerError, type WalkedMeeting } from "notetaker-sdk";
import { aDocument, aMeeting } from "notetaker-sdk/testing";
import { afterEach, expect, it, vi } from "vitest";
import { clientOf } from "../node/support/account.js";
import { runs } from "../support/property-seed.js";
import { DAY, events, fakeTime, following, HOUR, MINUTE, NOW, pass, serviceOf } from "./support/following.js";

afterEach(() => void vi.useRealTimers());

const ACTIONS = [
  "upload",
  "transcribe",
  "summarise",
  "document",
  "rename",
  "delete",
  "fault",
  "kill",
  "older",
  "away",
] as const;
const step = fc.record({
  action: fc.constantFrom(...ACTIONS, "upload", "transcribe", "summarise"),
  which: fc.nat(),
  isHeard: fc.boolean(),
  minutes: fc.constantFrom(0, 1, 7, 45, 180),
});

/** What a user would call the content of an item. */
const contentOf = ({ meeting, transcript, documents, missing }: WalkedMeeting) =>
  JSON.stringify({
    row: [meeting.status, meeting.title, meeting.start_time, meeting.documents],
    transcript: transcript !== undefined,
    documents: documents.map(({ id }) => id),
    given: missing.filter(({ retryable }) => !retryable).map(({ what }) => what),
  });

it("has every meeting in the end, as the account has it, and stores nothing unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.constantFrom(0, 20 * MINUTE), async (steps, lagMs) => {
      fakeTime();
      const past = [30, 2].map((days) =>
        aMeeting({ id: `mtg_past${days}`, start_time: new Date(NOW - days * DAY).toISOString() }),
      );
      const service = serviceOf({ meetings: past }, { lagMs });
      const client = clientOf(service);
      // A failure that is planned for the follower may meet the upload: the follower polls at random times.
      const upload = () =>
        client.meetings.upload(new Uint8Array(8), { contentType: "audio/wav" }).catch((error) => {
          if (!(error instanceof ServerError)) throw error;
        });
      const summarised = new Set(past.map(({ id }) => id));
      let { wake, send } = events();
      const run = following(service, {
        wants: (...row) => run.wants(...row),
        known: () => run.stored.keys(),
        onGone: (id) => void run.stored.delete(id),
      });
      const start = () => {
        ({ wake, send } = events());
        run.start({ wake });
      };
      const checkpoints: (string | undefined)[] = [];
      let isOrderly = true;
      start();
      for (const { action, which, isHeard, minutes } of steps) {
        const all = service.meetings.list();
        const one = all[which % all.length];
        const tell = (id: string) => void (isHeard && send(id));
        if (action === "upload") await upload();
        else if (action === "fault") service.faults.next("*", { status: 503, times: 1 + (which % 7) });
        else if (action === "kill") {
          run.kill();
          start();
        } else if (action === "older") {
          run.kill();
          run.checkpoint = checkpoints[which % (checkpoints.length + 1)];
          isOrderly = false;
          start();
        } else if (action === "away") {
          run.kill();
          await pass((which % 40) * HOUR, HOUR);
          start();
        } else if (one !== undefined) {
          if (action === "transcribe" && one.status === "processing") {
            await service.meetings.transcribe(one.id);
            tell(one.id);
          } else if (action === "summarise" && one.status === "completed" && !summarised.has(one.id)) {
            summarised.add(one.id);
            await service.meetings.summarise(one.id);
            tell(one.id);
          } else if (action === "document") {
            service.meetings.addDocument(one.id, aDocument({ title: "Notes" }));
            tell(one.id);
          } else if (action === "rename") Object.assign(one, { title: `Title ${which}` });
          else if (action === "delete" && one.id !== "mtg_past30") service.meetings.delete(one.id);
        }
        await pass(minutes * MINUTE, minutes > 10 ? 5 * MINUTE : MINUTE);
        checkpoints.push(run.checkpoint);
      }
      run.kill();
      run.start({ pollMs: 10 * MINUTE });
      await pass(4 * DAY, 30 * MINUTE);
      expect(run.error).toBeUndefined();
      for (const { id, title, status, transcript, documents } of service.meetings.list()) {
        const stored = run.stored.get(id);
        expect(stored?.meeting, id).toMatchObject({ title, status });
        expect(stored?.transcript !== undefined, `transcript of ${id}`).toBe(
          status === "completed" && transcript !== undefined,
        );
        expect(stored?.documents.map((one) => one.id).sort(), `documents of ${id}`).toEqual([...documents].sort());
      }
      expect([...run.stored.keys()].sort()).toEqual(
        service.meetings
          .list()
          .map(({ id }) => id)
          .sort(),
      );
      const latest = new Map<string, string>();
      for (const item of isOrderly ? run.items : []) {
        expect(contentOf(item), item.meeting.id).not.toBe(latest.get(item.meeting.id));
        latest.set(item.meeting.id, contentOf(item));
      }
      run.kill();
    }),
    { numRuns: runs(15), endOnFailure: true },
  );
}, 600_000);
