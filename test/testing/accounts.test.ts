/** Several accounts in one emulator. */
import { EVENT_KINDS, Notetaker, NotFoundError, UnauthorizedError } from "notetaker-sdk";
import { aMeeting, anEvent, aRoom, createEmulator, EmulatorError, type Seed } from "notetaker-sdk/testing";
import { describe, expect, test } from "vitest";
import { type EmulatorClient, emulatorClient, sendBot } from "./emulator-client.js";

const seedOf = (name: string): Seed => ({
  account: { user: { id: `usr_${name}`, name, email: `${name}@example.com` } },
  rooms: [aRoom({ id: `room_${name}`, title: name, meetings: [aMeeting({ id: `mtg_${name}`, title: `${name}'s` })] })],
  webhooks: [{ id: `whk_${name}`, url: "http://127.0.0.1:1/" }],
  events: [anEvent({ id: `evt_${name}`, start_time: "2025-06-09T09:00:00Z" })],
});

function twoAccounts() {
  const service = createEmulator({ accounts: { "token-a": seedOf("ada"), "token-b": seedOf("ben") } });
  const client = (token: string) => new Notetaker({ ...service.as(token).clientOptions, maxRetries: 0 });
  return { service, ada: client("token-a"), ben: client("token-b") };
}

const titles = async (notetaker: Notetaker) => (await notetaker.meetings.list()).data.map(({ title }) => title);

describe("the accounts of an emulator", () => {
  test("are isolated from each other", async () => {
    const { service, ada, ben } = twoAccounts();
    expect([await titles(ada), await titles(ben)]).toEqual([["ada's"], ["ben's"]]);
    expect((await ben.rooms.list()).data).toMatchObject([{ id: "room_ben" }]);
    expect(await ben.webhooks.list()).toMatchObject([{ id: "whk_ben" }]);
    const document = service.as("token-a").meetings.get("mtg_ada")?.documents[0] ?? "";
    for (const reading of [
      ben.meetings.getTranscript("mtg_ada"),
      ben.meetings.getRecording("mtg_ada"),
      ben.meetings.cancelBot("evt_ada"),
      ben.documents.get(document),
    ]) {
      await expect(reading).rejects.toThrow(NotFoundError);
    }
  });

  test("have their own ids, rate limits, events, faults and lists of requests", async () => {
    const { service, ada, ben } = twoAccounts();
    const [a, b] = [service.as("token-a"), service.as("token-b")];
    const link = { meeting_url: "https://zoom.us/j/123456" };
    const first = await ada.meetings.sendBot(link);
    const second = await ben.meetings.sendBot(link);
    expect(first.meeting_id).not.toBe(second.meeting_id);
    await b.meetings.finish(second.meeting_id);
    expect(a.bots.get(first.meeting_id)?.state).toBe("scheduling");
    expect(a.webhooks.deliveries).toEqual([]);
    expect(b.webhooks.deliveries).toMatchObject(EVENT_KINDS.map(() => ({ webhookId: "whk_ben" })));
    for (let sent = 1; sent < 10; sent++) await ada.meetings.sendBot(link);
    await expect(ada.meetings.sendBot(link)).rejects.toMatchObject({ name: "RateLimitedError" });
    b.faults.next("GET /rooms", { status: 500 });
    await ada.rooms.list();
    await expect(ben.rooms.list()).rejects.toMatchObject({ status: 500 });
    await service.fetch(`${service.baseUrl}/rooms`);
    expect(service.requests).toHaveLength(15);
    expect(a.requests).toHaveLength(12);
    expect(b.requests.map(({ path }) => path)).toEqual(["/meetings/bot", "/rooms"]);
  });

  test("have the same generated ids in each run, and different ids in each account", () => {
    const accounts = { a: 1, b: 1 };
    const idsOf = (token: string, service = createEmulator({ accounts })) =>
      service
        .as(token)
        .meetings.list()
        .map(({ id }) => id);
    const [a, b] = [idsOf("a"), idsOf("b")];
    expect([idsOf("a"), idsOf("b")]).toEqual([a, b]);
    expect(new Set([...a, ...b]).size).toBe(a.length + b.length);
    expect(idsOf("a", createEmulator({ accounts: { a: 1 } }))).toEqual(a);
    expect(idsOf("a", createEmulator({ accounts: { a: 2 } }))).not.toEqual(a);
  });

  test("share one clock and one reset", async () => {
    const { service, ada, ben } = twoAccounts();
    const start = service.clock.now();
    await service.as("token-b").clock.advance(1_000);
    expect([service.clock.now(), service.as("token-a").clock.now()]).toEqual([start + 1_000, start + 1_000]);
    service.as("token-a").meetings.delete("mtg_ada");
    service.revokeToken("token-b");
    service.reset();
    expect([await titles(ada), await titles(ben)]).toEqual([["ada's"], ["ben's"]]);
    expect(service.clock.now()).toBe(start);
  });

  test("are named in the error for a wrong seed", () => {
    const accounts = { a: {}, b: { rooms: [{}] } } as never;
    expect(() => createEmulator({ accounts })).toThrow(
      'createEmulator: accounts["b"]: rooms[0].title: expected a string',
    );
  });
});

describe("revokeToken()", () => {
  test("makes requests with the token fail with 401, while the controls still work", async () => {
    const { service, ada, ben } = twoAccounts();
    service.revokeToken("token-a");
    await expect(ada.rooms.list()).rejects.toThrow(UnauthorizedError);
    await expect(ben.rooms.list()).resolves.toBeDefined();
    expect(service.as("token-a").account.user.name).toBe("ada");
  });

  test("makes a client fetch a new token; a reset brings back the old one", async () => {
    const service = createEmulator({ token: "old" });
    const notetaker = new Notetaker({ ...service.clientOptions, token: () => service.token });
    service.revokeToken("old", "new");
    await notetaker.rooms.list();
    expect(service.token).toBe("new");
    service.reset();
    expect(service.token).toBe("old");
    expect(() => service.as("new")).toThrow("no account has this token");
  });

  test("refuses an unknown token, and a replacement that is empty or already used", () => {
    const { service } = twoAccounts();
    expect(() => service.revokeToken("token-c")).toThrow(EmulatorError);
    expect(() => service.revokeToken("token-a", "token-b")).toThrow("already the token of an account");
    expect(() => service.revokeToken("token-a", "")).toThrow(
      "revokeToken: replacement: expected a string that is not empty",
    );
  });
});

test("reset() brings back a new emulator, byte for byte", async () => {
  const seen = async (emulator: EmulatorClient) => {
    const { service, ask } = emulator;
    const texts = [service.token, service.requests.length, await sendBot(emulator)];
    await service.clock.advance(50_000);
    await ask("POST", "/webhooks", { url: "https://hooks.example.com/", events: ["meeting.transcript_ready"] });
    for (const path of ["/rooms?expand=meetings", "/meetings?expand=documents", "/meetings/mtg_1/recording"]) {
      const { status, headers, body } = await ask("GET", path);
      texts.push(JSON.stringify([status, [...headers], body]));
    }
    return JSON.stringify([texts, service.bots.list(), service.webhooks.list(), service.webhooks.deliveries]);
  };
  const emulator = emulatorClient();
  const first = await seen(emulator);
  const { service } = emulator;
  service.reset();
  for (let sent = 0; sent < 10; sent += 1) await sendBot(emulator, `https://zoom.us/j/12345600${sent}`);
  for (const { faults } of [service, service.as(service.token)]) faults.next("GET /rooms", "drop");
  service.reset();
  expect(await seen(emulator)).toBe(first);
  expect(await seen(emulatorClient())).toBe(first);
});
