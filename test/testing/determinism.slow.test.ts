/** The same seed gives the same responses, byte for byte, and a reset brings back the whole state. */
import * as fc from "fast-check";
import { createEmulator, type Emulator } from "notetaker-sdk/testing";
import { describe, expect, test } from "vitest";
import { runs } from "../support/property-seed.js";

/** The actions of a program or a test. Each returns what can be observed. */
const actions: Record<
  string,
  (service: Emulator, request: (method: string, path: string, body?: string) => Promise<string>) => unknown
> = {
  sendBot: (_, request) => request("POST", "/meetings/bot", '{"meeting_url":"https://zoom.us/j/123456"}'),
  sendAnother: (_, request) => request("POST", "/meetings/bot", '{"meeting_url":"https://meet.google.com/a-b-c"}'),
  rooms: (_, request) => request("GET", "/rooms?limit=2&expand=meetings"),
  meetings: (_, request) => request("GET", "/meetings?expand=documents"),
  wrong: (_, request) => request("GET", "/meetings?limit=0"),
  webhook: (_, request) =>
    request("POST", "/webhooks", '{"url":"https://hooks.example.com/","events":["meeting.transcript_ready"]}'),
  webhooks: (_, request) => request("GET", "/webhooks"),
  automation: (_, request) => request("PUT", "/settings/notetaker-automation", '{"automation":"JOIN_ALL_EVENTS"}'),
  recording: (service, request) => request("GET", `/meetings/${service.meetings.list()[3]!.id}/recording`),
  advance: (service) => service.clock.advance(20_000),
  fail: (service) => {
    const open = service.meetings.list().find(({ status }) => status === "processing");
    return open && service.meetings.fail(open.id);
  },
};
const plans = fc.array(fc.constantFrom(...Object.keys(actions)), { maxLength: 25 });

/** Everything that can be observed of an emulator that runs `plan`. */
async function seen(service: Emulator, plan: readonly string[]): Promise<string> {
  const request = async (method: string, path: string, body?: string) => {
    const response = await service.fetch(service.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body }),
    });
    // A request that is refused by mistake would change nothing.
    expect([400, 422].includes(response.status), `${method} ${path}`).toBe(path.endsWith("limit=0"));
    return JSON.stringify([response.status, [...response.headers], await response.text()]);
  };
  const answers: unknown[] = [service.token];
  for (const name of plan) answers.push(await actions[name]!(service, request));
  await service.webhooks.settled();
  answers.push(service.meetings.list(), service.bots.list(), service.webhooks.deliveries, service.clock.now());
  return JSON.stringify(answers);
}

describe("the emulator's behaviour", () => {
  test("is the same for the same seed, byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(plans, fc.nat(), async (plan, seed) => {
        expect(await seen(createEmulator({ seed }), plan)).toBe(await seen(createEmulator({ seed }), plan));
      }),
      { numRuns: runs(30) },
    );
  });

  test("differs in the ids, but not in the account, for another seed number", async () => {
    const [one, two] = [1, 2].map((seed) => createEmulator({ seed }).meetings.list());
    const ids = new Set([...one!, ...two!].map(({ id }) => id));
    expect(ids.size).toBe(2 * one!.length);
    expect(one!.map(({ title }) => title)).toEqual(two!.map(({ title }) => title));
  });

  test("is that of a new emulator after reset()", async () => {
    await fc.assert(
      fc.asyncProperty(plans, plans, async (before, plan) => {
        const service = createEmulator();
        await seen(service, before);
        service.reset();
        expect(service.requests).toEqual([]);
        expect(await seen(service, plan)).toBe(await seen(createEmulator(), plan));
      }),
      { numRuns: runs(20) },
    );
  });
});
