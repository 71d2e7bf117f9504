/**
 * Runs one upload or download in this process: `media-case.mjs NAME FILE ORIGIN DIST TARGET`. Prints the time, the CPU
 * time and the peak memory of the process.
 */
import { createReadStream, statSync } from "node:fs";
import { request } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

const [name, file, origin, client, target] = process.argv.slice(2);
const { size } = statSync(file);
const url = `${origin}/v1/meetings/upload`;
const stream = () => Readable.toWeb(createReadStream(file));

const sdk = async () => {
  const { Notetaker } = await import(`${client}index.js`);
  const { fromPath, saveRecording } = await import(`${client}node/index.js`);
  return { notetaker: new Notetaker({ baseUrl: `${origin}/v1`, token: "bench" }), fromPath, saveRecording };
};
const openai = async () => {
  const { default: OpenAI } = await import("openai");
  return new OpenAI({ baseURL: `${origin}/openai/v1`, apiKey: "bench", maxRetries: 0 });
};
const put = async (redirect) => (await fetch(url, { method: "PUT", body: stream(), duplex: "half", redirect })).json();

const cases = {
  async "upload, notetaker-sdk, fromPath"() {
    const { notetaker, fromPath } = await sdk();
    return notetaker.meetings.upload(fromPath(file), { contentType: "video/mp4" });
  },
  async "upload, notetaker-sdk, a stream"() {
    const { notetaker } = await sdk();
    return notetaker.meetings.upload(stream(), { contentType: "video/mp4" });
  },
  "upload, fetch, redirects refused": () => put("error"),
  "upload, fetch, a stream": () => put("follow"),
  "upload, node:http": () =>
    new Promise((resolve, reject) => {
      const outgoing = request(url, { method: "PUT", headers: { "content-length": size } }, async (response) => {
        let text = "";
        for await (const chunk of response) text += chunk;
        resolve(JSON.parse(text));
      });
      pipeline(createReadStream(file), outgoing).catch(reject);
    }),
  async "upload, ky, a stream"() {
    const { default: ky } = await import("ky");
    return ky.put(url, { body: stream(), duplex: "half", timeout: false }).json();
  },
  async "upload, openai, a stream"() {
    return (await openai()).files.create({ file: createReadStream(file), purpose: "user_data" });
  },
  async "upload, assemblyai, a path"() {
    const { AssemblyAI } = await import("assemblyai");
    return { received: Number(await new AssemblyAI({ apiKey: "bench", baseUrl: origin }).files.upload(file)) };
  },
  async "download, notetaker-sdk, saveRecording"() {
    const { notetaker, saveRecording } = await sdk();
    return { received: (await saveRecording(notetaker, "mtg_bench", target)).size };
  },
};

const began = performance.now();
const { received } = await cases[name]();
const seconds = (performance.now() - began) / 1000;
// A multipart form around the file adds a few hundred bytes.
if (received < size || received > size + 1_000) throw new Error(`${received} of ${size} bytes`);
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
console.log(JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, seconds, peakMiB: maxRSS / 1024 }));
process.exit();
