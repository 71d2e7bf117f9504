/** Interface, "Recording link". */
import * as fc from "fast-check";
import type { EmulatorOptions } from "notetaker-sdk/testing";
import { describe, expect, test } from "vitest";
import { emulatorClient } from "../emulator-client.js";

async function recording(options: EmulatorOptions = {}) {
  const { service, read } = emulatorClient(options);
  const { recording_url } = (await read("/meetings/mtg_1/recording")) as { recording_url: string };
  const download = (headers: HeadersInit = {}, method = "GET") => service.fetch(recording_url, { method, headers });
  return { service, recording_url, download };
}

describe("a recording of the emulator", () => {
  test("is downloaded from another host than the service's, and refused if the request contains the token", async () => {
    const { service, recording_url, download } = await recording();
    expect(new URL(recording_url).host).not.toBe(new URL(service.baseUrl).host);
    const response = await download();
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "audio/wav"]);
    expect((await response.text()).slice(0, 4)).toBe("RIFF");
    const refused = await download({ authorization: `Bearer ${service.token}` });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("Do not send the token");
  });

  test("is as long as its transcript, and at most an hour long", async () => {
    const secondsOf = async (end_time: number) => {
      const segments = [{ speaker_id: "spk_1", start_time: 0, end_time, text: "Good morning." }];
      const transcript = { speakers: [{ id: "spk_1", name: "Ada" }], segments };
      const { download } = await recording({ seed: { meetings: [{ id: "mtg_1", transcript }] } });
      return ((await (await download()).arrayBuffer()).byteLength - 44) / 8_000;
    };
    expect(await secondsOf(27.4)).toBe(28);
    expect(await secondsOf(9_000)).toBe(3_600);
  });

  test("has a link that expires, and that nobody can guess", async () => {
    const { service, recording_url, download } = await recording();
    service.clock.advance(15 * 60_000 - 1);
    expect((await download()).status).toBe(200);
    service.clock.advance(1);
    expect((await download()).status).toBe(403);
    expect((await service.fetch(recording_url.replace(/\w{5}$/, "00000"))).status).toBe(403);
  });

  test("is served in the part that a Range header requests", async () => {
    const { download } = await recording();
    const whole = new Uint8Array(await (await download()).arrayBuffer());
    const position = fc.integer({ min: 0, max: whole.length + 100 });
    await fc.assert(
      fc.asyncProperty(position, fc.option(position), async (start, end) => {
        const response = await download({ range: `bytes=${start}-${end ?? ""}` });
        const isValid = start < whole.length && (end === null || end >= start);
        const wanted = isValid ? whole.slice(start, end === null ? undefined : end + 1) : new Uint8Array();
        expect(response.status).toBe(isValid ? 206 : 416);
        const range = isValid ? `${start}-${start + wanted.length - 1}` : "*";
        expect(response.headers.get("content-range")).toBe(`bytes ${range}/${whole.length}`);
        expect(response.headers.get("content-length")).toBe(String(wanted.length));
        expect(Buffer.from(await response.arrayBuffer()).equals(wanted)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  test("is served completely if If-Range names another version", async () => {
    const { download } = await recording();
    const { headers } = await download({}, "HEAD");
    const statusIf = async (etag: string) => (await download({ range: "bytes=10-", "if-range": etag })).status;
    expect(await statusIf(headers.get("etag")!)).toBe(206);
    expect(await statusIf('"another"')).toBe(200);
  });
});
