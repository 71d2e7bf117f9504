/** Interface, "Recording link". */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emulatorClient } from "../emulator-client.js";

async function link(options = {}) {
  const { service, ask } = emulatorClient(options);
  const { recording_url } = (await ask("GET", "/meetings/mtg_1/recording")).body as { recording_url: string };
  return { service, recording_url };
}

describe("a recording of the emulator", () => {
  test("is downloaded from another host than the service's, without the token", async () => {
    const { service, recording_url } = await link();
    expect(new URL(recording_url).host).not.toBe(new URL(service.baseUrl).host);
    const response = await service.fetch(recording_url);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("audio/wav");
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(bytes.length).toBe(Number(response.headers.get("content-length")));
    expect(new TextDecoder().decode(bytes.subarray(0, 4))).toBe("RIFF");
  });

  test("is as long as its transcript, and at most an hour long", async () => {
    const secondsOf = async (end_time: number) => {
      const segments = [{ speaker_id: "spk_1", start_time: 0, end_time, text: "Good morning." }];
      const transcript = { speakers: [{ id: "spk_1", name: "Ada" }], segments };
      const { service, recording_url } = await link({ seed: { meetings: [{ id: "mtg_1", transcript }] } });
      const { byteLength } = await (await service.fetch(recording_url)).arrayBuffer();
      return (byteLength - 44) / 8_000;
    };
    expect(await secondsOf(27.4)).toBe(28);
    expect(await secondsOf(9_000)).toBe(3_600);
  });

  test("is refused if the request contains the token", async () => {
    const { service, recording_url } = await link();
    const response = await service.fetch(recording_url, { headers: { authorization: `Bearer ${service.token}` } });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("Do not send the token");
  });

  test("has a link that expires, and a new link for each request", async () => {
    const { service, recording_url } = await link();
    service.clock.advance(15 * 60_000 - 1);
    expect((await service.fetch(recording_url)).status).toBe(200);
    service.clock.advance(1);
    expect((await service.fetch(recording_url)).status).toBe(403);
    expect((await service.fetch(recording_url.replace(/\w{5}$/, "00000"))).status).toBe(403);
  });

  test("is served in the part that a Range header requests", async () => {
    const { service, recording_url } = await link();
    const whole = new Uint8Array(await (await service.fetch(recording_url)).arrayBuffer());
    const position = fc.integer({ min: 0, max: whole.length + 100 });
    await fc.assert(
      fc.asyncProperty(position, fc.option(position), async (start, end) => {
        const response = await service.fetch(recording_url, { headers: { range: `bytes=${start}-${end ?? ""}` } });
        if (start >= whole.length || (end !== null && end < start)) {
          expect(response.status).toBe(416);
          expect(response.headers.get("content-range")).toBe(`bytes */${whole.length}`);
          return;
        }
        const wanted = whole.slice(start, end === null ? undefined : end + 1);
        expect(response.status).toBe(206);
        expect(Buffer.from(await response.arrayBuffer()).equals(wanted)).toBe(true);
        const range = `bytes ${start}-${start + wanted.length - 1}/${whole.length}`;
        expect(response.headers.get("content-range")).toBe(range);
      }),
      { numRuns: 30 },
    );
  });

  test("is served completely if If-Range names another version", async () => {
    const { service, recording_url } = await link();
    const etag = (await service.fetch(recording_url, { method: "HEAD" })).headers.get("etag")!;
    const ask = (ifRange: string) =>
      service.fetch(recording_url, { headers: { range: "bytes=10-", "if-range": ifRange } });
    expect((await ask(etag)).status).toBe(206);
    expect((await ask('"another"')).status).toBe(200);
  });
});
