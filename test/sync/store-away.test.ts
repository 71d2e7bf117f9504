/** A store that is away for a moment has not refused what it is to store. */
import type { StoreBatch } from "notetaker-sdk";
import { beforeEach, expect, test, vi } from "vitest";
import { DAY, HOUR, MINUTE, simulatedTime } from "./support/simulated-time.js";
import { isTranscript, smallAccount } from "./support/small-service.js";

beforeEach(() => simulatedTime());

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
const isContent = ({ items }: StoreBatch) => items.some(({ transcript }) => transcript !== undefined);

/** An account whose store throws while it `isAway` for a batch. */
function unsteadyAccount() {
  const account = smallAccount("mtg_1", "mtg_2");
  const unsteady = { ...account, refusals: 0, isAway: (_batch: StoreBatch): boolean => false };
  const { write } = account.store;
  account.store.write = async (batch, lock) => {
    if (!unsteady.isAway(batch)) return write(batch, lock);
    unsteady.refusals += 1;
    throw new Error("connect ECONNREFUSED");
  };
  return unsteady;
}

test("what a database could not store while it restarted is stored later", async () => {
  const account = unsteadyAccount();
  account.isAway = (batch) => isContent(batch) && account.refusals < 2;
  const { missing } = await account.sync();
  expect(missing).toEqual([]);
  expect(account.refusals).toBe(2);
});

test("what a database refuses holds nothing else of its meeting back", async () => {
  const account = unsteadyAccount();
  const formats = { documents: ["markdown", "html", "raw"] } as const;
  account.isAway = ({ items }) => items.some(({ documents }) => documents.some(({ format }) => format !== "html"));
  const { missing } = await account.sync({ formats });
  expect(
    missing.map(({ meeting_id, what, reason, retryable, message }) => [meeting_id, what, reason, retryable, message]),
  ).toEqual(
    ["mtg_1", "mtg_2"].flatMap((id) =>
      ["markdown", "raw"].map((format) => [
        ...[id, `document doc_of_${id} (${format})`, "invalid", true],
        "the store has refused it: connect ECONNREFUSED",
      ]),
    ),
  );
  expect([account.textOf("mtg_1"), account.textOf("mtg_2")]).toEqual(["said in mtg_1", "said in mtg_2"]);
  expect(account.store.meetings.get("mtg_1")?.documents).toMatchObject([{ format: "html" }]);
  // Each piece was requested once.
  expect(account.service.take().filter((path) => path.includes("mtg_1"))).toHaveLength(4);
});

test("a meeting that another run writes after a refusal is asked for anew once, and not taken for one that others keep writing", async () => {
  const account = smallAccount("mtg_1");
  const { write } = account.store;
  const formats = { documents: ["markdown", "html", "raw"] } as const;
  let isRefusing = true;
  let conflicts = 0;
  account.store.write = async (batch, lock) => {
    const [item] = batch.items;
    if (isRefusing && isContent(batch)) throw new Error("connect ECONNREFUSED");
    if (isRefusing && item !== undefined) {
      isRefusing = false;
      await write({ items: [{ ...item, memory: "of another run" }], removed: [] }, undefined);
    }
    const ids = await write(batch, lock);
    conflicts += ids.length;
    return ids;
  };
  const { missing } = await account.sync({ formats });
  expect([missing, conflicts]).toEqual([[], 1]);
  expect(account.textOf("mtg_1")).toBe("said in mtg_1");
});

test("a meeting is reported once if a database takes its row, and neither its content nor that this is missing", async () => {
  const account = unsteadyAccount();
  account.isAway = (batch) =>
    isContent(batch) || batch.items.some(({ missing }) => missing.some(({ message }) => message.includes("refused")));
  const { ended, missing } = await account.sync();
  const lacks = { what: "meeting", reason: "invalid", retryable: true };
  expect([ended, missing]).toMatchObject(["done", [lacks, lacks]]);
  // The first poll and the first pass have requested each.
  expect(account.service.sent.filter(isTranscript)).toHaveLength(4);
  expect(account.store.meetings.get("mtg_1")).toMatchObject({ meeting: { title: "Title of mtg_1" } });
});

test("what a database refuses again and again is tried until the meeting has settled, and stored when it takes it", async () => {
  const account = unsteadyAccount();
  account.isAway = isContent;
  const lacks = { what: "transcript", reason: "invalid", retryable: true };
  expect((await account.sync()).missing).toMatchObject([lacks, lacks]);
  expect(account.store.meetings.get("mtg_1")).toMatchObject({ meeting: { title: "Title of mtg_1" } });
  for (let hour = 0; hour < 20; hour += 1) {
    later(HOUR);
    expect((await account.sync()).missing).toContainEqual(expect.objectContaining(lacks));
  }
  account.isAway = () => false;
  later(HOUR);
  expect((await account.sync()).missing).toEqual([]);
  expect([account.textOf("mtg_1"), account.textOf("mtg_2")]).toEqual(["said in mtg_1", "said in mtg_2"]);
});

test("what a database refuses long after the meeting has settled is tried as long", async () => {
  const account = unsteadyAccount();
  await account.sync();
  later(3 * DAY);
  account.service.row("mtg_1").end_time = "2026-03-10T09:30:00Z";
  account.service.transcripts.set("mtg_1", "corrected");
  account.isAway = isContent;
  for (let run = 0; run < 10; run += 1) {
    await account.sync();
    later(HOUR);
  }
  account.isAway = () => false;
  await account.sync();
  expect(account.textOf("mtg_1")).toBe("corrected");
});

test("what a database refuses before and after a stop of a week is not lost", async () => {
  const account = unsteadyAccount();
  account.isAway = isContent;
  await account.sync();
  later(7 * DAY);
  await account.sync();
  account.isAway = () => false;
  later(HOUR);
  expect((await account.sync()).missing).toEqual([]);
  expect(account.textOf("mtg_1")).toBe("said in mtg_1");
});

test("what a database never takes is given up when the meeting has settled, and is not requested any more", async () => {
  const account = unsteadyAccount();
  account.isAway = isContent;
  for (let run = 0; run < 40; run += 1) {
    await account.sync();
    later(HOUR);
  }
  expect(account.store.meetings.get("mtg_1")?.missing).toMatchObject([
    {
      what: "transcript",
      reason: "invalid",
      retryable: false,
      message: "the store has refused it: connect ECONNREFUSED",
    },
  ]);
  account.service.take();
  later(HOUR);
  await account.sync();
  expect(account.service.sent.filter(isTranscript)).toEqual([]);
});

test("a meeting of which a database took nothing is stored by the next full pass of the same run", async () => {
  const account = unsteadyAccount();
  account.isAway = ({ items }) => items.some(({ id }) => id === "mtg_1");
  const controller = new AbortController();
  const refused: unknown[] = [];
  setTimeout(() => {
    refused.push(account.store.meetings.has("mtg_1"), account.service.sent.filter(isTranscript).length);
    account.isAway = () => false;
  }, HOUR);
  setTimeout(() => controller.abort(new Error("over")), DAY + 5 * MINUTE);
  await expect(account.sync({ follow: true, signal: controller.signal })).rejects.toThrow("over");
  // The first poll and the first pass have requested it, and no later poll.
  expect(refused).toEqual([false, 3]);
  expect(account.textOf("mtg_1")).toBe("said in mtg_1");
});
