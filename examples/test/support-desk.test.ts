/** The webhook consumer of the support desk, with a local server instead of the desk. */
import { json } from "node:stream/consumers";
import { expect, test } from "vitest";
import { httpServer } from "../../test/support/servers.js";
import { attempts, deliverOverHttp, emulatedAccount, meetingId } from "./support/emulated-account.js";
import { recipeFolder } from "./support/run-folder.js";
import { startProgram } from "./support/start-program.js";

interface Note {
  customer: string;
  note: string;
}

test("the support desk gets one note for each call with a customer, and no note for internal calls", async () => {
  const { service, env } = await emulatedAccount();
  const notes = new Map<string, Note>();
  let failures = 1;
  const deskUrl = await httpServer(async (request, response) => {
    const note = (await json(request)) as Note;
    response.statusCode = failures > 0 ? 500 : 201;
    if (failures === 0) notes.set(String(request.headers["idempotency-key"]), note);
    failures = 0;
    response.end();
  });
  const program = await startProgram(recipeFolder("support-desk"), "support-desk.ts", {
    ...env,
    DESK_URL: deskUrl,
    DESK_TOKEN: "desk",
    OUR_DOMAIN: "lovelace.example",
  });
  deliverOverHttp(service, program.url);

  await service.webhooks.send("meeting.transcript_ready", meetingId(service, "Sales call: Contoso"));
  expect(attempts(service)).toEqual([503]);
  await service.clock.advance(1_000);
  expect(attempts(service)).toEqual([503, 200]);
  await service.webhooks.send("meeting.transcript_ready", meetingId(service, "Weekly product sync"));
  expect(attempts(service)).toEqual([200]);

  expect(notes.size).toBe(1);
  const [[key, note] = ["", undefined]] = notes;
  expect(key).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(note?.customer).toBe("eun-ji@contoso.example");
  expect(note?.note).toMatch(/^Sales call: Contoso, 2025-05-23.*\nQuestions:\n- \d\d:\d\d:\d\d .+: .*\?/);
  expect(await program.stop()).toBe(0);
});
