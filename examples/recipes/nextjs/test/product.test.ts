/** `npx vitest run`: the login, the tenants and a failed write, with the emulator in this process. */
import { NextRequest } from "next/server";
import { aMeeting, createEmulator } from "notetaker-sdk/testing";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { login, sendBot } from "../app/actions";
import { listMeetings } from "../lib/meetings";
import { requireUser } from "../lib/session";
import { TENANTS } from "../lib/tenants";
import { proxy } from "../proxy";

/** What Next.js knows of a request: here, the cookies of one browser. */
const browser = vi.hoisted(() => new Map<string, string>());
vi.mock("next/headers", () => ({
  cookies: async () => ({
    get: (name: string) => ({ value: browser.get(name) }),
    set: (name: string, value: string) => browser.set(name, value),
  }),
}));
vi.mock("next/server", async (original) => ({
  ...(await original<object>()),
  connection: async () => {},
}));

/** Each tenant has an account with one meeting. */
const service = createEmulator({
  accounts: Object.fromEntries(
    TENANTS.map(({ id, token }) => [
      token,
      { meetings: [aMeeting({ id: `mtg_${id}`, title: `Of ${id}` })] },
    ]),
  ),
});
const [acme] = TENANTS;
const account = service.as(acme.token);

let close: () => Promise<void>;
beforeAll(async () => {
  const started = await service.listen({ port: 0 });
  close = started.close;
  vi.stubEnv("NOTETAKER_BASE_URL", started.url);
  vi.stubEnv("SESSION_SECRET", "of the tests");
  vi.stubEnv("LOGIN_PASSWORD", "secret");
});
afterAll(() => close());
afterEach(() => {
  browser.clear();
  vi.restoreAllMocks();
});

async function logIn(email: string, password = "secret") {
  const form = new FormData();
  form.set("email", email);
  form.set("password", password);
  return login(form);
}

/** The page that is shown in place of the one of this path, if it is another one. */
async function rewritten(path: string) {
  const cookie = `session=${encodeURIComponent(browser.get("session") ?? "")}`;
  const url = new URL(path, "http://localhost:3000");
  const response = await proxy(new NextRequest(url, { headers: { cookie } }));
  const to = response.headers.get("x-middleware-rewrite");
  return to ? new URL(to).pathname : undefined;
}

test("after the login, the list has the meetings of the user's tenant alone", async () => {
  expect(await logIn("ada@acme.example", "wrong")).toMatch(/is wrong/);
  await expect(requireUser()).rejects.toThrow("NEXT_REDIRECT");
  expect(await logIn("ada@acme.example")).toBe("");
  const { tenant } = await requireUser();
  const { meetings } = await listMeetings(tenant, "", 8);
  expect(meetings.map(({ title }) => title)).toEqual(["Of acme"]);
});

test("the meeting of another tenant is a 404", async () => {
  await logIn("ada@acme.example");
  expect(await rewritten("/meetings/mtg_acme")).toBeUndefined();
  expect(await rewritten("/meetings/mtg_globex")).toBe("/no-such-meeting");
});

test("if the answer about a bot cannot be read, its user is told not to send it again", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {}); // the log
  await logIn("ada@acme.example");
  account.faults.next("POST /meetings/bot", { status: 202, body: {} });
  const answer = await sendBot("https://zoom.us/j/123456789");
  expect(answer).toEqual({
    problem: "The bot is on its way; do not send it again.",
  });
  const sent = account.requests.filter(({ method }) => method === "POST");
  expect(sent).toHaveLength(1);
});

test("without a session, an action does nothing", async () => {
  const before = account.requests.length;
  const answer = await sendBot("https://zoom.us/j/123456789");
  expect(answer).toEqual({ problem: "Your session has ended. Log in again." });
  expect(account.requests).toHaveLength(before);
});
