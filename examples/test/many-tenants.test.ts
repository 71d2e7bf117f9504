/** The server for many tenants. Its service is an emulator with two accounts. */
import { aMeeting, aWebhook, createEmulator, sendEvent } from "notetaker-sdk/testing";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../test/support/free-port.js";
import { recipeFolder } from "./support/run-folder.js";
import { startServer } from "./support/server-process.js";

const tenant = (id: string) => ({
  id,
  session: `session-${id}`,
  token: `token-${id}`,
  webhookSecrets: [`whsec-${id}`],
});
const ada = tenant("ada");
const ben = tenant("ben");

test("the server for many tenants keeps tenants apart, and receives webhooks for all of them", async () => {
  const origin = `http://127.0.0.1:${await freePort()}`;
  // Both tenants were in the same meeting: the events about the meeting differ only in their signatures.
  const host = { id: "usr_cleo", name: "Cleo", email: "cleo@example.com" };
  const meeting = aMeeting({ id: "mtg_shared", title: "Both", host, participants: [] });
  const seedOf = ({ id, webhookSecrets: [secret] }: typeof ada) => ({
    meetings: [meeting, aMeeting({ id: `mtg_${id}`, title: `Of ${id}` })],
    webhooks: [aWebhook({ url: `${origin}/hooks/${id}`, secret })],
  });
  const service = createEmulator({ accounts: { [ada.token]: seedOf(ada), [ben.token]: seedOf(ben) } });
  const { url, close } = await service.listen({ port: 0 });
  onTestFinished(close);
  await startServer(["--import", import.meta.resolve("tsx"), "server.ts"], {
    cwd: recipeFolder("many-tenants"),
    url: origin,
    env: { NOTETAKER_BASE_URL: url, TENANTS: JSON.stringify([ada, ben]), PORT: new URL(origin).port },
  });
  const read = async (path: string, session: string) => {
    const response = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${session}` } });
    return response.ok ? await response.json() : response.status;
  };

  const [ofAda, ofBen] = await Promise.all([read("/meetings", ada.session), read("/meetings", ben.session)]);
  expect(ofAda.map(({ title }: { title: string }) => title).sort()).toEqual(["Both", "Of ada"]);
  expect(ofBen.map(({ title }: { title: string }) => title).sort()).toEqual(["Both", "Of ben"]);
  expect(await read("/meetings", "somebody")).toBe(401);

  for (const { token } of [ada, ben]) await service.as(token).webhooks.send("meeting.transcript_ready", "mtg_shared");
  const bodies = [ada, ben].flatMap(({ token }) => service.as(token).webhooks.deliveries.map(({ body }) => body));
  expect(new Set(bodies).size).toBe(1);
  expect(Object.keys(await read("/transcripts", ada.session))).toEqual(["mtg_shared"]);
  expect(Object.keys(await read("/transcripts", ben.session))).toEqual(["mtg_shared"]);

  const forged = await sendEvent(`${origin}/hooks/ben`, {
    kind: "meeting.transcript_ready",
    meetingId: "mtg_ada",
    secret: ada.webhookSecrets[0]!,
  });
  expect(forged.attempts.map(({ status }) => status)).toEqual([401]);
  expect(Object.keys(await read("/transcripts", ben.session))).toEqual(["mtg_shared"]);
});

test("a tenant with two webhooks gets the event of each webhook once", async () => {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const secrets = ["whsec-1", "whsec-2"];
  const service = createEmulator({
    token: ada.token,
    seed: {
      meetings: [aMeeting({ id: "mtg_1" })],
      webhooks: secrets.map((secret) => aWebhook({ url: `${origin}/hooks/ada`, secret })),
    },
  });
  const { url, close } = await service.listen({ port: 0 });
  onTestFinished(close);
  await startServer(["--import", import.meta.resolve("tsx"), "server.ts"], {
    cwd: recipeFolder("many-tenants"),
    url: origin,
    env: {
      NOTETAKER_BASE_URL: url,
      TENANTS: JSON.stringify([{ ...ada, webhookSecrets: secrets }]),
      PORT: new URL(origin).port,
    },
  });

  service.webhooks.next({ duplicate: true });
  await service.webhooks.send("meeting.transcript_ready", "mtg_1");
  const { deliveries } = service.webhooks;
  expect(deliveries.map(({ state }) => state)).toEqual(["delivered", "delivered", "delivered"]);
  expect(new Set(deliveries.map(({ body }) => body)).size).toBe(1);
  // Both deliveries were handled, and the one that came twice was handled once.
  const reads = service.requests.filter(({ route }) => route === "GET /meetings/{meeting_id}/transcript");
  expect(reads).toHaveLength(2);
});
