/** A recording link is opened only if it does not lead to the user's own machine or network. */
import { ConnectionError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { rejectionOf } from "../../support/recorder.js";
import { bytesOfLength } from "../upload/upload-service.js";
import { gathered, MEETING, storage } from "./storage.js";

const recording = { bytes: bytesOfLength(100), etag: '"one"' };

async function download(baseUrl: string, link: string) {
  const service = storage(recording, [], { link: () => link, baseUrl, allowInsecureHttp: true });
  const { stream } = await service.notetaker.meetings.downloadRecording(MEETING);
  expect(await gathered(stream)).toEqual(recording.bytes);
  return service.requests;
}

const hosts = (...lines: string[]) => lines.flatMap((line) => line.split(" "));

const LOOPBACK = hosts(
  "localhost LOCALHOST localhost. files.localhost a.b.localhost",
  "127.0.0.1 127.1 127.255.255.254 127.0.0.1. 0x7f.1 0177.0.0.1 2130706433 １２７.０.０.１ 0.0.0.0 0 0.1.2.3",
  "[::1] [0:0:0:0:0:0:0:1] [::] [::ffff:127.0.0.1] [::ffff:127.1.20.30] [::ffff:0.0.0.0] [::127.0.0.1]",
);
const PRIVATE = hosts(
  "10.0.0.0 10.255.255.255 10.0.0.5 10.1 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255 0xc0.0xa8.1.1",
  "169.254.0.0 169.254.169.254 100.64.0.0 100.127.255.255 168.63.129.16 192.0.0.192 198.18.0.1 224.0.0.1 255.255.255.255",
  "[fe80::1] [fc00::1] [fd12:3456::1] [fd12:2001:db8::1] [fec0::1] [2::1] [4001::1] [::2]",
  "[::7f00:1:2] [1::ffff:7f00:1] [::fffe:7f00:1] [64:ff9b::127.0.0.1] [64:ff9b:1::1] [2002:7f00:1::] [2002:a00:1::]",
  "[::ffff:10.0.0.1] [::ffff:192.168.1.1] [::ffff:100.100.1.1] [::ffff:a9fe:a9fe]",
);
const PUBLIC = hosts(
  "storage.example.net localhost.example.net 127.0.0.1.example.net mylocalhost",
  "1.1.1.1 9.255.255.255 11.0.0.0 126.0.0.1 128.0.0.1 172.15.255.255 172.32.0.0 192.167.0.1 192.169.0.1",
  "168.63.129.1 192.0.1.1 198.17.0.1 198.20.0.1 223.255.255.255",
  "169.253.0.1 169.255.0.1 100.63.255.255 100.128.0.0 8.20.0.1 8.168.0.1 8.254.0.1 8.100.0.1",
  "[2001:db8::1] [2001:db8::ffff:7f00:1] [2a00:1450::1] [3fff::1]",
  "[::ffff:9.9.9.9] [::ffff:8.8.8.8] [::ffff:126.127.0.0] [::9.9.9.9]",
);

describe("a client of an https: service", () => {
  const service = "https://api.example.com/v1";

  it.each([...LOOPBACK, ...PRIVATE])("does not open a link to %s", async (host) => {
    for (const scheme of ["https", "http"]) {
      const error = await rejectionOf(ConnectionError, download(service, `${scheme}://${host}/r?signature=s3cret`));
      expect(error).toMatchObject({ outcome: "rejected", retryable: false });
      expect(`${error}${JSON.stringify(error)}`).not.toContain("s3cret");
    }
  });

  it.each(PUBLIC)("opens a link to %s with https:, but not with http:", async (host) => {
    await download(service, `https://${host}/r`);
    await rejectionOf(ConnectionError, download(service, `http://${host}/r`));
  });

  it.each([
    " https://storage.example.net/r",
    "https://storage.example.net/r\n",
    "https://storage.example.net/the file",
  ])("opens a link with a blank or a line break as a browser does: %j", async (link) => {
    expect((await download(service, link)).map(({ url }) => url)).toEqual([new URL(link).href]);
  });
});

it.each<[baseUrl: string, opened: string[], refused: string[]]>([
  [
    "http://localhost:4010/v1",
    ["http://127.0.0.1:4010/r", "http://localhost:9000/r", "https://[::1]/r", "https://storage.example.net/r"],
    ["http://10.0.0.5/r", "https://192.168.1.1/r", "http://storage.example.net/r"],
  ],
  [
    "https://10.0.0.5/v1",
    ["https://10.0.0.5:9000/r"],
    ["https://10.0.0.6/r", "http://10.0.0.5/r", "https://127.0.0.1"],
  ],
  [
    "http://10.0.0.5/v1",
    ["http://10.0.0.5:9000/r", "https://10.0.0.5/r", "https://storage.example.net/r"],
    ["http://10.0.0.6/r", "https://10.0.0.6/r", "http://storage.example.net/r", "https://[::1]/r"],
  ],
])("a client of %s opens links to its own host and to public hosts, and no other", async (baseUrl, opened, refused) => {
  for (const link of opened) await download(baseUrl, link);
  for (const link of refused) await rejectionOf(ConnectionError, download(baseUrl, link));
});

it.each([null, "link", {}, { recording_url: 5 }])("a client with validation off finds no link in %j", async (body) => {
  const { notetaker } = storage(recording, [], { validation: "off", fetch: async () => Response.json(body) });
  await rejectionOf(ConnectionError, notetaker.meetings.downloadRecording(MEETING));
});
