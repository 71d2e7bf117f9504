/** One transfer in a process of its own; prints how long it took and the most memory that the process ever had. */
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { request } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

const [name, file, origin, client, target] = process.argv.slice(2);
const { size } = statSync(file);
const url = `${origin}/v1/meetings/upload`;
const stream = () => Readable.toWeb(createReadStream(file));

const sdk = async () => {
  const { Notetaker } = await import(`${client}index.js`);
  const { fromPath, saveRecording } = await import(`${client}node.js`);
  return { notetaker: new Notetaker({ baseUrl: `${origin}/v1`, token: "bench" }), fromPath, saveRecording };
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
  "upload, fetch, a stream, redirects refused": () => put("error"),
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
  async "download, notetaker-sdk, saveRecording"() {
    const { notetaker, saveRecording } = await sdk();
    return { received: (await saveRecording(notetaker, "mtg_bench", target)).size };
  },
  async "download, fetch, to a file"() {
    const { body } = await fetch(`${origin}/file`);
    await pipeline(Readable.fromWeb(body), createWriteStream(target));
    return { received: statSync(target).size };
  },
};

const began = performance.now();
const { received } = await cases[name]();
const seconds = (performance.now() - began) / 1000;
if (received !== size) throw new Error(`${received} of ${size} bytes`);
console.log(JSON.stringify({ seconds, peakMiB: process.resourceUsage().maxRSS / 1024 }));
