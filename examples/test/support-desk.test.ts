/** The webhook consumer of the support desk, with a local server instead of the desk. */
import { json } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { hasSqlite } from "../../test/support/has-sqlite.js";
import { httpServer } from "../../test/support/servers.js";
import { deliverOverHttp, emulatedAccount, meetingId } from "./support/emulated-account.js";
import { recipeFolder } from "./support/run-folder.js";
import { startProgram } from "./support/start-program.js";

interface Note {
  customer: string;
  note: string;
}

test.runIf(hasSqlite)(
  "the support desk gets one note for each call with a customer, and no note for internal calls",
  async () => {
    const { service, env } = await emulatedAccount({ stepTimes: "manual", now: () => Date.now() });
    const notes = new Map<string, Note>();
    const keys: string[] = [];
    let failures = 1;
    const deskUrl = await httpServer(async (request, response) => {
      const note = (await json(request)) as Note;
      const key = String(request.headers["idempotency-key"]);
      response.statusCode = failures > 0 ? 500 : 201;
      if (failures === 0) {
        keys.push(key);
        notes.set(key, note);
      }
      failures = 0;
      response.end();
    });
    const variables = {
      ...env,
      DESK_URL: deskUrl,
      DESK_TOKEN: "desk",
      OUR_DOMAIN: "lovelace.example",
      SINCE: "2025-01-01",
    };
    const folder = recipeFolder("support-desk");
    const failed = await startProgram(folder, "support-desk.ts", variables);
    await failed.printed(/the desk responded 500/);
    expect(await failed.stop()).toBe(1);

    // The next start continues, although no event arrives.
    const program = await startProgram(folder, "support-desk.ts", variables);
    deliverOverHttp(service, program.url);
    const id = meetingId(service, "Sales call: Contoso");
    await vi.waitUntil(() => notes.has(id), 60_000);
    expect(notes.get(id)?.customer).toBe("eun-ji@contoso.example");
    expect(notes.get(id)?.note).toMatch(/^Sales call: Contoso, 20.*\nQuestions:\n- \d\d:\d\d:\d\d .+: .*\?/);
    await service.webhooks.send("meeting.transcript_ready", meetingId(service, "Weekly product sync"));
    expect(await program.stop()).toBe(0);

    expect(new Set(keys).size).toBe(keys.length);
    expect(notes.has(meetingId(service, "Weekly product sync"))).toBe(false);
    expect([...notes.values()].every(({ customer }) => !customer.endsWith("@lovelace.example"))).toBe(true);
  },
);
