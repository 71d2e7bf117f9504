/** The examples, run from the command line with the packed package. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aMeeting, createEmulator, type MeetingSeed } from "notetaker-sdk/testing";
import { describe, expect, test } from "vitest";
import { toneWav } from "../tour/wav.js";
import { changedService } from "./support/changed-service.js";
import { runExample } from "./support/run-folder.js";

const seeds: MeetingSeed[] = [
  aMeeting({ id: "mtg_1", title: "Weekly sync", start_time: "2025-05-30T09:00:00Z", source: "zoom" }),
  aMeeting({ id: "mtg_2", title: "Retro", start_time: "2025-05-20T09:00:00Z", transcript: null }),
];

/** An emulator served over HTTP. The program reads its URL and token from the environment. */
async function served<T>(meetings: MeetingSeed[], use: (env: Record<string, string>) => Promise<T>): Promise<T> {
  const service = createEmulator({ seed: { meetings } });
  const { url, close } = await service.listen({ port: 0 });
  try {
    return await use({ NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: service.token });
  } finally {
    await close();
  }
}

describe("the ask-transcript example", () => {
  test("prints the prompts if no model is set, and splits them at the token limit", async () => {
    const { output, exitCode } = await runExample("ask-transcript.ts", ["Who pays?", "--max-tokens", "60"]);
    expect(exitCode, output).toBe(0);
    const parts = [...output.matchAll(/Part (\d+) of (\d+) of a meeting's transcript follows/g)];
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.at(-1)?.[1]).toBe(parts[0]?.[2]);
    expect(output).toContain("Who pays?");
    expect(output).toMatch(/\[00:00:00\] \S/);
  });

  test("asks the model command about each part, and prints the answer", async () => {
    const model = `"${process.execPath}" -e "process.stdin.on('data', (d) => process.stdout.write('heard ' + String(d).length + ' characters'))"`;
    await served(seeds, async (env) => {
      const { output, exitCode } = await runExample("ask-transcript.ts", ["Who pays?", "mtg_1"], {
        ...env,
        LLM: model,
      });
      expect(output).toMatch(/^mtg_1: 1 chunks of at most 3000 tokens\nheard \d+ characters\n$/);
      expect(exitCode).toBe(0);
    });
  });

  test("fails if the model command fails", async () => {
    const { output, exitCode } = await runExample("ask-transcript.ts", [], { LLM: "exit 3" });
    expect(output).toContain("the command failed: exit 3");
    expect(exitCode).toBe(1);
  });
});

test("a meeting with an unexpected duration does not stop ask-transcript.ts", async () => {
  const odd = aMeeting({ id: "mtg_odd", start_time: "2025-06-01T09:00:00Z" });
  await served([odd, ...seeds], async (env) => {
    const changed = await changedService(env.NOTETAKER_BASE_URL ?? "", { mtg_odd: { duration: 1860.5 } });
    const variables = { ...env, NOTETAKER_BASE_URL: changed };
    const { output, exitCode } = await runExample("ask-transcript.ts", ["Who pays?"], variables);
    expect(exitCode, output).toBe(0);
    expect(output).toContain("mtg_1: 1 chunks");
  });
});

describe("the upload example", () => {
  const withWav = async (use: (file: string, bytes: Uint8Array) => Promise<void>) => {
    const folder = await mkdtemp(join(tmpdir(), "upload-"));
    try {
      const file = join(folder, "weekly sync.wav");
      const bytes = toneWav(3);
      await writeFile(file, bytes);
      await use(file, bytes);
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  test("uploads a WAV of three seconds, waits, and prints the transcript", () =>
    withWav(async (file, bytes) => {
      const service = createEmulator({ now: Date.now, stepTimes: { transcribeMs: 500 } });
      const { url, close } = await service.listen({ port: 0 });
      const env = { NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: service.token };
      const { exitCode, output } = await runExample("upload.ts", [file, "--title", "Weekly"], env);
      await close();
      expect(exitCode, output).toBe(0);
      expect(output).toMatch(/meeting mtg_\w+: waiting/);
      expect(output).toMatch(/^\[00:00:\d\d\] .+: .+/m);
      const upload = service.requests.find(({ method }) => method === "PUT")!;
      expect(upload.query.get("title")).toBe("Weekly");
      expect(upload.headers.get("content-type")).toBe("audio/wav");
      expect(upload.bodyBytes).toBe(bytes.byteLength);
    }));

  test("uploads to the embedded emulator, without an account or a network", () =>
    withWav(async (file) => {
      const { exitCode, output } = await runExample("upload.ts", [file]);
      expect(exitCode, output).toBe(0);
      expect(output).toMatch(/^\[00:00:\d\d\] .+: .+/m);
    }));

  test("fails with the name of a file that does not exist", async () => {
    const { exitCode, output } = await runExample("upload.ts", ["nowhere.mp4"]);
    expect(exitCode).toBe(1);
    expect(output).toContain("nowhere.mp4");
  });
});

test("the tour runs every step", async () => {
  const { exitCode, output } = await runExample("tour.ts");
  expect(output).toContain("12 steps done, 0 skipped, 0 failed");
  expect(exitCode).toBe(0);
});
