/** The emulator delivers to a receiver over loopback HTTP, with the service's timeout and retries. */
import { createEmulator } from "notetaker-sdk/testing";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";
import { expect, test } from "vitest";
import { httpServer } from "../support/servers.js";

const EVENTS = 300;
const KIND = "meeting.transcript_ready";

/** The faults, by the number of the event. Each fault happens to many events, and some events have several. */
const fails = (number: number) => number % 5 === 0;
const overruns = (number: number) => number % 9 === 0;
const overrunsAndFails = (number: number) => number % 27 === 0;
const answerIsLost = (number: number) => number % 7 === 0;
const isDoubled = (number: number) => number % 4 === 0;

test("each of 300 events is handled exactly once for each of two webhooks, despite failures, timeouts, duplicates and reordering", async () => {
  const receiver = createReceiver({
    secrets: ["whsec_one", "whsec_two"],
    deadlineMs: 60,
    onError: (_, { status }) => expect(status).toBe(503),
  });
  /** The handler's runs for each webhook and meeting: how many were started, succeeded, and are still under way. */
  const runs = new Map<string, { begun: number; done: number; underWay: number }>();
  let most = 0;
  receiver.on(KIND, async ({ meetingId }, { secretIndex }) => {
    const number = Number(meetingId.slice(4));
    const key = `${secretIndex} ${meetingId}`;
    const run = runs.get(key) ?? { begun: 0, done: 0, underWay: 0 };
    runs.set(key, run);
    run.begun += 1;
    run.underWay += 1;
    most = Math.max(most, run.underWay);
    try {
      const slow = overruns(number) && run.begun === 1;
      await new Promise((resolve) => setTimeout(resolve, slow ? 90 : 0));
      if (run.begun === 1 && (slow ? overrunsAndFails(number) : fails(number))) throw new Error("the handler failed");
      run.done += 1;
    } finally {
      run.underWay -= 1;
    }
  });

  const statuses: Record<number, number> = {};
  const lost = new Set<string>();
  const listener = toNodeListener(async (request) => {
    const { id } = (await request.clone().json()) as { id: string };
    const response = await receiver.handle(request);
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    if (response.status !== 200 || !answerIsLost(Number(id.slice(4))) || lost.has(id)) return response;
    // The event is handled, but the response is lost.
    lost.add(id);
    return new Response(new ReadableStream({ start: (controller) => controller.error(new Error("line broke")) }));
  });
  // Two webhooks have the same URL: each gets every event, signed with its own secret.
  const url = `${await httpServer(listener)}/hooks/notetaker`;
  const ids = Array.from({ length: EVENTS }, (_, number) => `mtg_${number}`);
  const service = createEmulator({
    seed: {
      meetings: ids.map((id) => ({ id, title: `Meeting ${id}` })),
      webhooks: ["whsec_one", "whsec_two"].map((secret) => ({ url, events: [KIND], secret })),
    },
  });

  for (const [number, id] of [...ids.entries()].reverse()) {
    if (isDoubled(number)) service.webhooks.next({ duplicate: true, times: 2 });
    void service.webhooks.send(KIND, id);
  }
  expect(service.webhooks.deliveries).toHaveLength(EVENTS * 2 + (EVENTS / 4) * 2);
  await service.webhooks.settled();
  while (service.webhooks.deliveries.some(({ state }) => state === "pending")) {
    // The emulator's clock does not wait for a run that goes on after the deadline: on a busy machine, all retries could
    // come in that time.
    while ([...runs.values()].some(({ underWay }) => underWay > 0))
      await new Promise((resolve) => setTimeout(resolve, 5));
    await service.clock.advance(1_000);
  }

  expect(runs.size).toBe(EVENTS * 2);
  expect([...runs].filter(([, { done }]) => done !== 1)).toEqual([]);
  expect(most).toBe(1);
  // Every retry was sent, and each delivery got a successful response in the end.
  expect(service.webhooks.deliveries.filter(({ state }) => state !== "delivered")).toEqual([]);
  const attempts = service.webhooks.deliveries.flatMap((delivery) => delivery.attempts);
  expect(attempts.some(({ error }) => error !== undefined)).toBe(true);
  expect(statuses[503]).toBeGreaterThan(EVENTS / 5);
  expect(Object.keys(statuses)).toEqual(["200", "503"]);
  expect([...runs.values()].filter(({ begun }) => begun === 2).length).toBeGreaterThan(EVENTS / 6);
});
