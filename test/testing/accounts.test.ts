/** Several accounts in one emulator. */
import { EVENT_KINDS, ForbiddenError, Notetaker, NotFoundError, UnauthorizedError } from "notetaker-sdk";
import { aMeeting, anEvent, aRoom, createEmulator, EmulatorError, type Seed } from "notetaker-sdk/testing";
import { describe, expect, test } from "vitest";

const seedOf = (name: string): Seed => ({
  account: { user: { id: `usr_${name}`, name, email: `${name}@example.com` } },
  rooms: [aRoom({ id: `room_${name}`, title: name, meetings: [aMeeting({ id: `mtg_${name}`, title: `${name}'s` })] })],
  webhooks: [{ id: `whk_${name}`, url: "http://127.0.0.1:1/" }],
  events: [anEvent({ id: `evt_${name}`, start_time: "2025-06-09T09:00:00Z" })],
});

function twoAccounts() {
  const service = createEmulator({ accounts: { "token-a": seedOf("ada"), "token-b": seedOf("ben") } });
  const client = (token: string) =>
    new Notetaker({ baseUrl: service.baseUrl, token, fetch: service.fetch, maxRetries: 0 });
  return { service, ada: client("token-a"), ben: client("token-b"), client };
}

const titles = async (notetaker: Notetaker) => (await notetaker.meetings.list()).data.map(({ title }) => title);

describe("the accounts of an emulator", () => {
  test("are isolated from each other", async () => {
    const { service, ada, ben } = twoAccounts();
    expect(await titles(ada)).toEqual(["ada's"]);
    expect(await titles(ben)).toEqual(["ben's"]);
    expect((await ben.rooms.list()).data.map(({ id }) => id)).toEqual(["room_ben"]);
    expect((await ben.webhooks.list()).map(({ id }) => id)).toEqual(["whk_ben"]);
    await expect(ben.meetings.getTranscript("mtg_ada")).rejects.toThrow(NotFoundError);
    await expect(ben.meetings.getRecording("mtg_ada")).rejects.toThrow(NotFoundError);
    await expect(ben.meetings.cancelBot("evt_ada")).rejects.toThrow(NotFoundError);
    const document = service.as("token-a").meetings.get("mtg_ada")?.documents[0] ?? "";
    await expect(ben.documents.get(document)).rejects.toThrow(NotFoundError);
  });

  test("have their own ids, rate limits, events and faults", async () => {
    const { service, ada, ben } = twoAccounts();
    const link = { meeting_url: "https://zoom.us/j/123456" };
    const first = await ada.meetings.sendBot(link);
    const second = await ben.meetings.sendBot(link);
    expect(first.meeting_id).not.toBe(second.meeting_id);
    await service.as("token-b").meetings.finish(second.meeting_id);
    expect(service.as("token-a").bots.get(first.meeting_id)?.state).toBe("scheduling");
    expect(service.as("token-a").webhooks.deliveries).toEqual([]);
    const receivers = service.as("token-b").webhooks.deliveries.map(({ webhookId }) => webhookId);
    expect(receivers).toEqual(EVENT_KINDS.map(() => "whk_ben"));
    for (let sent = 1; sent < 10; sent++) await ada.meetings.sendBot(link);
    await expect(ada.meetings.sendBot(link)).rejects.toMatchObject({ name: "RateLimitedError" });
    await expect(ben.meetings.sendBot(link)).resolves.toMatchObject({ status: "scheduling" });
    service.as("token-b").faults.next("GET /rooms", { status: 500 });
    await ada.rooms.list();
    await expect(ben.rooms.list()).rejects.toMatchObject({ status: 500 });
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
  });

  test("can share a meeting by a permission for the other account's e-mail address, until it is revoked", async () => {
    const { service, ada, ben } = twoAccounts();
    const recipient = { type: "teammate", email: "Ben@Example.com" };
    const permission = await ada.permissions.set("mtg_ada", { recipient, role: "read" });
    expect((await titles(ben)).sort()).toEqual(["ada's", "ben's"]);
    expect((await ben.meetings.list({ scope: "shared" })).data).toMatchObject([{ id: "mtg_ada" }]);
    expect((await ben.meetings.list({ scope: "owned" })).data).toMatchObject([{ id: "mtg_ben" }]);
    const { data } = await ben.meetings.list({ ids: ["mtg_ada"], expand: ["documents"] });
    const [reference] = data[0]?.documents ?? [];
    expect((await ben.documents.get(reference?.id ?? "")).title).toBe("ada's: summary");
    expect((await ben.meetings.getTranscript("mtg_ada")).segments).not.toEqual([]);
    const { recording_url } = await ben.meetings.getRecording("mtg_ada");
    expect((await service.fetch(recording_url ?? "")).status).toBe(200);
    await expect(ben.permissions.list("mtg_ada")).rejects.toThrow(ForbiddenError);
    await ada.permissions.revoke("mtg_ada", permission.id);
    expect(await titles(ben)).toEqual(["ben's"]);
  });

  test("share one clock, one reset and one snapshot", async () => {
    const { service, ada, ben } = twoAccounts();
    const start = service.clock.now();
    await service.as("token-b").clock.advance(1_000);
    expect([service.clock.now(), service.as("token-a").clock.now()]).toEqual([start + 1_000, start + 1_000]);
    const snapshot = service.snapshot();
    await ada.permissions.set("mtg_ada", { recipient: { type: "teammate", email: "ben@example.com" }, role: "read" });
    service.revokeToken("token-b");
    service.restore(snapshot);
    expect(await titles(ben)).toEqual(["ben's"]);
    service.reset();
    expect(service.clock.now()).toBe(start);
    expect(service.requests).toEqual([]);
  });

  test("do not make a request cost more: the clock is read as often with a hundred of them as with two", async () => {
    const readsWith = async (count: number) => {
      let reads = 0;
      const now = () => {
        reads += 1;
        return Date.UTC(2025, 5, 2);
      };
      const tokens = Array.from({ length: count }, (_, index) => `token-${index}`);
      const accounts = Object.fromEntries(tokens.map((token) => [token, { meetings: [aMeeting({ id: "mtg_1" })] }]));
      const service = createEmulator({ accounts, now });
      const notetaker = new Notetaker(service.as("token-1").clientOptions);
      reads = 0;
      await notetaker.meetings.list();
      await notetaker.meetings.getRecording("mtg_1");
      await notetaker.meetings.sendBot({ meeting_url: "https://zoom.us/j/123456" });
      await service.clock.advance(1_000);
      const result = reads;
      // While this clock stands still, the timer for the bot's next step would begin anew, in later files too.
      service.reset();
      return result;
    };
    expect(await readsWith(100)).toBe(await readsWith(2));
  });

  test("have separate lists of requests", async () => {
    const { service, ada, ben } = twoAccounts();
    await ada.rooms.list();
    await ben.webhooks.list();
    await service.fetch(`${service.baseUrl}/rooms`);
    expect(service.requests).toHaveLength(3);
    expect(service.as("token-a").requests.map(({ path }) => path)).toEqual(["/rooms"]);
    expect(service.as("token-b").requests.map(({ path }) => path)).toEqual(["/webhooks"]);
  });

  test("lend the first account's controls and client options to the emulator", async () => {
    const { service } = twoAccounts();
    expect(service.account.user.name).toBe("ada");
    expect(await titles(new Notetaker(service.clientOptions))).toEqual(["ada's"]);
    expect(await titles(new Notetaker(service.as("token-b").clientOptions))).toEqual(["ben's"]);
    service.revokeToken("token-a", "token-c");
    expect(service.clientOptions).toEqual({ baseUrl: service.baseUrl, token: "token-c", fetch: service.fetch });
    expect(() => service.as("token-d")).toThrow(new EmulatorError("as: no account has this token"));
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

  test("makes a client fetch a new token", async () => {
    const service = createEmulator({ token: "old" });
    const tokens: (string | undefined)[] = [];
    const notetaker = new Notetaker({
      baseUrl: service.baseUrl,
      fetch: service.fetch,
      token: () => {
        const token = service.token;
        tokens.push(token);
        return token;
      },
    });
    await notetaker.rooms.list();
    service.revokeToken("old", "new");
    expect(service.token).toBe("new");
    await notetaker.rooms.list();
    expect(tokens).toEqual(["old", "new"]);
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
