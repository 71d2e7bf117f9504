/** The examples, run from the command line with the packed package. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { aMeeting, createEmulator, type MeetingSeed } from "notetaker-sdk/testing";
import { describe, expect, test, vi } from "vitest";
import { hasRedis } from "../../test/redis/support/redis-server.js";
import { toneWav } from "../tour/wav.js";
import { changedService } from "./support/changed-service.js";
import { examples, runExample } from "./support/run-folder.js";

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

describe("the export-vault example", () => {
  test("fills a folder with notes, lists what is missing, and writes no file twice", async () => {
    const folder = await mkdtemp(join(tmpdir(), "vault-"));
    const vault = join(folder, "notes");
    try {
      await served(seeds, async (env) => {
        const first = await runExample("export-vault.ts", [vault, "--recordings"], env);
        expect(first.output).toContain("saved: Weekly sync");
        expect(first.output).toContain("missing: transcript of Retro");
        expect(first.exitCode).toBe(0);
        const note = await readFile(join(vault, "2025-05-30-Weekly-sync-mtg_1", "transcript.md"), "utf8");
        expect(note).toMatch(/^---\nid: "mtg_1"\naliases: \["Weekly sync"\]\ndate: "2025-05-30"\ntime: "09:00"\n/);
        expect(note).toContain('tags: ["meeting","zoom"]');
        expect(note).toContain("\n# Weekly sync\n");
        expect(await readdir(join(vault, "2025-05-30-Weekly-sync-mtg_1"))).toEqual(
          expect.arrayContaining(["documents", "meeting.json", "recording.json", "recording.wav", "transcript.md"]),
        );

        const second = await runExample("export-vault.ts", [vault, "--since", "2025-05-25"], env);
        expect(second.output).toContain("0 changes in");
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("runs without an account", async () => {
    const folder = await mkdtemp(join(tmpdir(), "vault-"));
    try {
      const { output, exitCode } = await runExample("export-vault.ts", [folder]);
      expect(output).toMatch(/^[1-9]\d* changes in /m);
      expect(exitCode, output).toBe(0);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("stops at Ctrl+C, and keeps the notes that it has saved", async () => {
    const folder = await mkdtemp(join(tmpdir(), "vault-"));
    const service = createEmulator({
      seed: { meetings: Array.from({ length: 30 }, (_, index) => aMeeting({ id: `mtg_${index}` })) },
    });
    const { url, close } = await service.listen({ port: 0 });
    const child = spawn(process.execPath, ["--import", "tsx", "export-vault.ts", folder], {
      cwd: examples,
      env: { ...process.env, NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: service.token },
      stdio: ["ignore", "pipe", "pipe"],
    });
    try {
      const output = text(child.stderr);
      // After 40 requests the program waits for a minute.
      await vi.waitUntil(() => service.requests.length >= 30, { timeout: 60_000 });
      child.kill("SIGINT");
      expect(await once(child, "close")).toEqual([1, null]);
      expect(await output).toContain("Stopped. The same command resumes from here.");
      const files = await readdir(folder, { recursive: true });
      expect(files.filter((path) => /transcript\.|documents.*\.md$/.test(path)).length).toBeGreaterThan(10);
    } finally {
      child.kill("SIGKILL");
      await close();
      await rm(folder, { recursive: true });
    }
  });

  test("exits with an UnauthorizedError if the token is wrong", async () => {
    await served(seeds, async (env) => {
      const folder = await mkdtemp(join(tmpdir(), "vault-"));
      const { output, exitCode } = await runExample("export-vault.ts", [folder], {
        ...env,
        NOTETAKER_TOKEN: "no",
      });
      await rm(folder, { recursive: true });
      expect(output).toContain("UnauthorizedError");
      expect(exitCode).toBe(1);
    });
  });
});

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

describe("the find-in-meetings example", () => {
  test("finds the part of a meeting that answers a question, with its time and its line", async () => {
    const { output, exitCode } = await runExample("find-in-meetings.ts", [
      "When is the onboarding flag turned on for everybody?",
      "--top",
      "1",
    ]);
    expect(exitCode, output).toBe(0);
    const [heading, line] = output.trim().split("\n");
    expect(heading).toMatch(/^Weekly product sync, \d\d:\d\d:\d\d to \d\d:\d\d:\d\d \(.+\): 0\.\d\d$/);
    expect(line).toMatch(
      /^ {2}\[\d\d:\d\d:\d\d\] .+: Then let's do that this week, and turn the flag on for everybody/,
    );
  });
});

describe("a meeting with an unexpected duration", () => {
  const [weekly] = seeds as [MeetingSeed];
  const odd = aMeeting({ id: "mtg_odd", start_time: "2025-06-01T09:00:00Z" });

  test.each(["ask-transcript.ts", "find-in-meetings.ts"])("does not stop %s", async (example) => {
    await served([odd, weekly], async (env) => {
      const changed = await changedService(env.NOTETAKER_BASE_URL ?? "", { mtg_odd: { duration: 1860.5 } });
      const { output, exitCode } = await runExample(example, ["Who pays?"], { ...env, NOTETAKER_BASE_URL: changed });
      expect(exitCode, output).toBe(0);
      expect(output).toContain(example === "ask-transcript.ts" ? "mtg_1: 1 chunks" : "Weekly sync");
    });
  });
});

describe("the calendar-bots example", () => {
  test("schedules a bot for the events whose title contains the word, and cancels the bots of the other events", async () => {
    const service = createEmulator();
    const { url, close } = await service.listen({ port: 0 });
    const env = { NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: service.token };
    const first = await runExample("calendar-bots.ts", [], env);
    expect(first.exitCode, first.output).toBe(0);
    expect(first.output).toContain("automation: MANUAL");
    const [wanted = ""] = /^.*call(?=: scheduling$)/m.exec(first.output) ?? [];
    expect(first.output.match(/: scheduling$/gm)).toHaveLength(1);
    // The other events had no bot, so no bot is cancelled.
    expect(first.output).toMatch(/: no bot$/m);
    expect(first.output).not.toContain("cancelling");
    expect(service.requests.map(({ method }) => method)).not.toContain("DELETE");

    const second = await runExample("calendar-bots.ts", ["no such word"], env);
    expect(second.output.match(/^.*(?=: cancelling$)/gm)).toEqual([wanted]);
    await close();
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

describe.runIf(hasRedis)("the examples with several processes", () => {
  test("handle each delivery once, and a reader of one process gets the events that the other handled", async () => {
    const { output, exitCode } = await runExample("several-processes/main.ts");
    const handled = [...output.matchAll(/^[AB] handled (mtg_\d+)/gm)].map(([, id]) => id);
    expect(new Set(handled).size, output).toBe(12);
    expect(handled).toHaveLength(12);
    expect(output).toContain("The reader heard 12 of 12 events, each of them handled once.");
    expect(exitCode).toBe(0);
  });

  test("create one job for a delivery that comes twice", async () => {
    const { output, exitCode } = await runExample("several-processes/queue.ts");
    expect(output).toContain("Saved the transcript of mtg_1: 1 segments.");
    expect(output).toContain("Jobs: 1.");
    expect(exitCode).toBe(0);
  });
});

test("redis-server is installed if NOTETAKER_REQUIRE_REDIS is set", () => {
  expect(hasRedis || !process.env.NOTETAKER_REQUIRE_REDIS, "redis-server is not installed").toBe(true);
});
