import { describe, expect, it } from "vitest";
import { emulatorClient, listed, mistakesOf } from "./emulator-client.js";

const webhook = { url: "http://127.0.0.1:1" };

describe("createEmulator", () => {
  it.each<[options: unknown, ...paths: string[]]>([
    [null, ""],
    [{ limit: "all" }, "limit"],
    [{ token: "" }, "token"],
    [{ seed: null }, "seed"],
    [{ seed: 1.5 }, "seed"],
    [{ limits: "some" }, "limits"],
    [{ stepTimes: "fast" }, "stepTimes"],
    [{ stepTimes: { callMs: -1 } }, "stepTimes.callMs"],
    [{ onRequest: true }, "onRequest"],
    [{ assumptions: { room: {} } }, "assumptions.room"],
    [{ now: null }, "now"],
    [{ now: "yesterday" }, "now"],
    [{ now: Object.create(null) }, "now"],
    [{ now: Symbol("now") }, "now"],
    [{ baseUrl: "https://a.example" }, "baseUrl"],
    [{ now: Date.now, speed: 0 }, "speed"],
    [{ speed: 60 }, "speed"],
    [{ accounts: { a: {} }, token: "b" }, "token"],
    [{ accounts: {} }, "accounts"],
    [{ accounts: { "": {} } }, "accounts"],
    [{ webhooks: [{}] }, "webhooks[0].url"],
    [{ accounts: { a: {} }, webhooks: [{ token: "b", ...webhook }] }, "webhooks[0].token"],
    [{ tokn: "x", stepTimes: { callMS: 1 }, strict: 1 }, "strict", "stepTimes.callMS", "tokn"],
  ])("refuses %j and names each path", (options, ...paths) => {
    expect(mistakesOf(options).map(({ path }) => path)).toEqual(paths);
  });

  it("takes names of parameters and titles of documents from the option assumptions", async () => {
    const assumptions = { permissions: { limit: "size" }, documents: { titles: { summary: "Zusammenfassung" } } };
    const path = "/meetings/mtg_1/permissions";
    const strict = emulatorClient({ assumptions });
    await strict.ask("POST", path, { recipient: { type: "team" }, role: "read" });
    expect((await strict.read(`${path}?size=1`)).data).toHaveLength(1);
    expect((await strict.ask("GET", `${path}?limit=1`)).status).toBe(400);
    const { documents } = await listed(strict, "mtg_1");
    const ends = documents.map(({ title }: { title: string }) => title.split(": ").at(-1));
    expect(ends).toEqual(["Zusammenfassung", "action items"]);
  });
});
