/** `npx notetaker-sdk listen`: which events of an account are sent, and how. */
import { EVENT_KINDS, Notetaker } from "notetaker-sdk";
import { aDocument, aMeeting, createEmulator, type Emulator } from "notetaker-sdk/testing";
import { verify } from "notetaker-sdk/webhooks";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { runCommand } from "./support.js";

const START = Date.UTC(2026, 2, 2, 9);
const HOUR_MS = 3_600_000;
const SECRET = "whsec_secret_0123456789";
const HOOKS = "http://127.0.0.1:3000/hooks";

beforeEach(() => void vi.useFakeTimers({ now: START }));

const environment = ({ token, baseUrl }: Emulator) => ({
  ...{ NOTETAKER_TOKEN: token, NOTETAKER_BASE_URL: baseUrl, NOTETAKER_WEBHOOK_SECRET: SECRET },
});

/** Runs the command in this process. `statuses` are the responses of the endpoint, and 200 after them. */
function listening(args: string[] = [], statuses: number[] = []) {
  const at = (hours: number) => new Date(START + hours * HOUR_MS).toISOString();
  const meetings = [
    aMeeting({ id: "mtg_old", start_time: at(-72), end_time: at(-71), created_at: at(-72) }),
    aMeeting({ id: "mtg_new", start_time: at(-2), end_time: at(-1), created_at: at(-2) }),
  ];
  const service = createEmulator({ seed: { meetings }, now: Date.now, stepTimes: "manual", limits: "none" });
  const received: { body: string; headers: Headers }[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    if (url !== HOOKS) return service.fetch(url, init);
    received.push({ body: String(init.body), headers: new Headers(init.headers) });
    return new Response(null, { status: statuses[received.length - 1] ?? 200 });
  });
  const controller = new AbortController();
  const ended = runCommand(["listen", "--to", HOOKS, ...args], environment(service), { signal: controller.signal });
  const end = async () => {
    controller.abort();
    const output = await ended;
    expect(output.exitCode).toBe(0);
    expect(output.stdout + output.stderr).not.toMatch(new RegExp(`${service.token}|${SECRET}`));
    return output;
  };
  const events = () => received.map(({ body }) => JSON.parse(body)).map(({ event, id }) => `${event} ${id}`);
  return { service, received, events, end };
}

const until = (check: () => void) =>
  vi.waitFor(
    async () => {
      await vi.advanceTimersByTimeAsync(500);
      check();
    },
    { interval: 1, timeout: 60_000 },
  );

describe("notetaker-sdk listen", () => {
  it("sends what becomes ready after the start, once, signed, with the row of the meeting", async () => {
    const { service, received, events, end } = listening();
    // The history, and the first poll after it.
    await until(() => expect(service.requests.length).toBeGreaterThan(4));
    const notetaker = new Notetaker({ ...service.clientOptions });
    const { meeting_id: id } = await notetaker.meetings.sendBot({ meeting_url: "https://zoom.us/j/1234567890" });
    await service.meetings.finish(id);
    await until(() => expect(events()).toEqual(EVENT_KINDS.map((kind) => `${kind} ${id}`)));
    // A later change of the meeting is no reason to send them again.
    service.meetings.addDocument(id, aDocument());
    const before = service.requests.length;
    await until(() => expect(service.requests.length).toBeGreaterThan(before + 6));
    expect(events()).toHaveLength(EVENT_KINDS.length);
    const { body, headers } = received[0]!;
    expect(await verify(body, headers, SECRET)).toMatchObject({ kind: EVENT_KINDS[0], meetingId: id });
    expect(JSON.parse(body)).toMatchObject({ status: "completed", participants: expect.any(Array) });
    const { stdout } = await end();
    expect(stdout).toMatch(
      new RegExp(`^${EVENT_KINDS.map((kind) => `${kind} ${id}: status 200 after \\d+ ms\n`).join("")}$`),
    );
  });

  it("sends with --since what is ready of the meetings from then on", async () => {
    const { events, end } = listening(["--since", "2026-03-02"]);
    await until(() => expect(events()).toEqual(EVENT_KINDS.map((kind) => `${kind} mtg_new`)));
    await end();
  });

  it("retries as the service does, and prints each attempt", async () => {
    const { events, end } = listening(["--since", "2026-03-02T00:00:00Z"], [503, 429, 401]);
    const sent = [EVENT_KINDS[0], EVENT_KINDS[0], ...EVENT_KINDS].map((kind) => `${kind} mtg_new`);
    await until(() => expect(events()).toEqual(sent));
    const { stdout } = await end();
    expect(stdout.match(/status.*/g)).toEqual([
      expect.stringMatching(/^status 503 .*; next attempt in 1 s$/),
      expect.stringMatching(/^status 429 .*; next attempt in 10 s$/),
      expect.stringMatching(/^status 401 after \d+ ms$/),
      ...EVENT_KINDS.slice(1).map(() => expect.stringMatching(/^status 200 after \d+ ms$/)),
    ]);
  });

  it("an endpoint that fails does not hold up the events of another meeting", async () => {
    const { events, end } = listening(["--since", "2026-01-01"], [503, 503, 503]);
    // The third attempt for the first meeting would follow 10 s after its second.
    await until(() => expect(events().slice(0, 3)).toContain(`${EVENT_KINDS[0]} mtg_old`));
    await end();
  });

  it("a refused token is exit code 2, without the token", async () => {
    const service = createEmulator();
    vi.stubGlobal("fetch", service.fetch);
    const env = { ...environment(service), NOTETAKER_TOKEN: "tok_wrong" };
    const { exitCode, stderr } = await runCommand(["listen", "--to", HOOKS], env);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("the service refuses NOTETAKER_TOKEN (401)")]);
    expect(stderr).not.toContain("tok_wrong");
  });
});
