/** A recording link is opened only if it does not lead to the user's own machine or network. */
import { ConnectionError, Notetaker } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { rejectionOf } from "../../support/recorder.js";
import { bytesOfLength } from "../upload/upload-service.js";
import { gathered, MEETING, storage } from "./storage.js";

const recording = { bytes: bytesOfLength(100), etag: '"one"' };

/** A service at `baseUrl` whose recordings are at `link`. */
async function download(baseUrl: string, link: string, options = {}) {
  const service = storage(recording, [], { link: () => link, baseUrl, ...options });
  const { stream } = await service.notetaker.meetings.downloadRecording(MEETING);
  return gathered(stream);
}

const LOOPBACK = [
  "localhost",
  "LOCALHOST",
  "localhost.",
  "files.localhost",
  "127.0.0.1",
  "127.1",
  "127.255.255.254",
  "0x7f.1",
  "0177.0.0.1",
  "2130706433",
  "127.0.0.1.",
  "１２７.０.０.１",
  "0.0.0.0",
  "0",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
];
const PRIVATE = [
  "10.0.0.5",
  "10.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "0xc0.0xa8.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "[fe80::1]",
  "[fc00::1]",
  "[fd12:3456::1]",
  "[fec0::1]",
  "[::ffff:10.0.0.1]",
  "[::ffff:a9fe:a9fe]",
  "[2002:a00:1::]",
  "[64:ff9b:1::1]",
];
const PUBLIC = [
  "storage.example.net",
  "localhost.example.net",
  "127.0.0.1.example.net",
  "mylocalhost",
  "9.255.255.255",
  "11.0.0.0",
  "172.15.0.1",
  "172.32.0.1",
  "192.169.0.1",
  "100.128.0.1",
  "[2001:db8::1]",
  "[::ffff:9.9.9.9]",
];

describe("a client of an https: service", () => {
  const service = "https://api.example.com/v1";

  it.each([...LOOPBACK, ...PRIVATE])("does not open a link to %s", async (host) => {
    for (const scheme of ["https", "http"]) {
      const error = await rejectionOf(ConnectionError, download(service, `${scheme}://${host}/r`));
      expect(error.message).toContain("was not opened");
      expect(error).toMatchObject({ outcome: "rejected", retryable: false });
    }
  });

  it.each(PUBLIC)("opens a link to %s with https:, but not with http:", async (host) => {
    expect(await download(service, `https://${host}/r`)).toEqual(recording.bytes);
    const error = await rejectionOf(ConnectionError, download(service, `http://${host}/r`));
    expect(error.message).toBe(`The recording link of ${MEETING} is not an https: URL and was not opened`);
  });

  it("names only the link's host in its error", async () => {
    const error = await rejectionOf(ConnectionError, download(service, "https://10.0.0.5/r?signature=s3cret"));
    expect(error.message).toBe(
      `The recording link of ${MEETING} points to 10.0.0.5, a private host other than that of baseUrl, and was not opened`,
    );
    expect(JSON.stringify(error)).not.toContain("s3cret");
  });
});

describe("a client of a service on this machine", () => {
  it.each(["http://127.0.0.1:4010/r", "http://localhost:9000/r", "https://[::1]/r", "https://storage.example.net/r"])(
    "opens %s",
    async (link) => {
      expect(await download("http://localhost:4010/v1", link)).toEqual(recording.bytes);
    },
  );

  it.each(["http://10.0.0.5/r", "https://192.168.1.1/r", "http://storage.example.net/r"])(
    "does not open %s",
    async (link) => {
      await rejectionOf(ConnectionError, download("http://localhost:4010/v1", link));
    },
  );
});

describe("a client of a service in the private network", () => {
  it("opens a link to the service's own host", async () => {
    expect(await download("https://10.0.0.5/v1", "https://10.0.0.5:9000/r")).toEqual(recording.bytes);
  });

  it.each(["https://10.0.0.6/r", "http://10.0.0.5/r", "https://127.0.0.1/r"])("does not open %s", async (link) => {
    await rejectionOf(ConnectionError, download("https://10.0.0.5/v1", link));
  });
});

describe("a client of an http: service in the private network", () => {
  const options = { allowInsecureHttp: true };

  it.each(["http://10.0.0.5:9000/r", "https://10.0.0.5/r", "https://storage.example.net/r"])(
    "opens %s",
    async (link) => {
      expect(await download("http://10.0.0.5/v1", link, options)).toEqual(recording.bytes);
    },
  );

  it.each([
    ["http://storage.example.net/r", "is not an https: URL"],
    ["http://10.0.0.6/r", "is not an https: URL"],
    ["https://10.0.0.6/r", "points to 10.0.0.6, a private host other than that of baseUrl,"],
    ["https://[::1]/r", "points to [::1], a loopback host other than that of baseUrl,"],
  ])("does not open %s", async (link, problem) => {
    const error = await rejectionOf(ConnectionError, download("http://10.0.0.5/v1", link, options));
    expect(error.message).toBe(`The recording link of ${MEETING} ${problem} and was not opened`);
  });
});

it.each([null, [], "link", {}, { recording_url: 5 }, { recording_url: [] }])(
  "a client with validation off finds no link in the response %j",
  async (body) => {
    const fetch = async () => Response.json(body);
    const client = new Notetaker({
      baseUrl: "https://api.example.com/v1",
      token: "tok_0123",
      fetch,
      validation: "off",
    });
    const error = await rejectionOf(ConnectionError, client.meetings.downloadRecording(MEETING));
    expect(error.message).toBe(`The recording link of ${MEETING} is not an https: URL and was not opened`);
  },
);
