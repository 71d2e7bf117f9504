import { memoryStore, Notetaker, syncMeetings } from "notetaker-sdk";
import { aMeeting, createEmulator } from "notetaker-sdk/testing";
import { expect, it } from "vitest";

it("an id that the list does not have yet is reported as missing, is no change, and is asked for again", async () => {
  const service = createEmulator({ limits: "none", seed: { meetings: [aMeeting({ id: "mtg_1" })] } });
  const notetaker = new Notetaker(service.clientOptions);
  const into = memoryStore();
  const changes: string[] = [];
  const onChange = ({ id }: { id: string }) => void changes.push(id);
  const first = await syncMeetings(notetaker, { into, only: ["mtg_later", "mtg_1"], onChange });
  expect(first).toMatchObject({ ended: "done", changed: 1, missingCount: 1 });
  expect(first.missing[0]).toMatchObject({
    meeting_id: "mtg_later",
    what: "meeting",
    reason: "not_ready",
    retryable: true,
  });
  expect(changes).toEqual(["mtg_1"]);
  expect([...into.meetings.keys()]).toEqual(["mtg_1"]);
  expect(await into.due(new Date(Date.now() + 120_000), 10)).toEqual(["mtg_later"]);
});
