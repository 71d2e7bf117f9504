/** The content of transcript files in each format. */
import { describe, expect, it } from "vitest";
import { rendererOf, type TranscriptFormat } from "../../../src/node/folder-store/transcript-files.js";
import type { Meeting } from "../../../src/schemas/meeting.js";
import type { Transcript } from "../../../src/schemas/transcript.js";

const transcriptText = (format: TranscriptFormat, ...[transcript, meeting]: [Transcript, Meeting]) =>
  rendererOf(format).render(transcript, meeting, {});

describe("the transcript file of a folder", () => {
  const transcript = {
    meeting_id: "mtg_1",
    language: "en",
    speakers: [{ id: "spk_1", name: "Ada" }],
    segments: [{ speaker_id: "spk_1", start_time: 0, end_time: 30, text: "word ".repeat(30).trim() }],
  } as Transcript;
  const meeting = {
    id: "mtg_1",
    title: "Weekly",
    status: "completed",
    source: "zoom",
    start_time: "2025-01-01T09:00:00Z",
    duration: 1800,
    host: { name: "Ada", email: "ada@example.com" },
    participants: [
      { name: "Ben", email: "b@x.y" },
      { name: null, email: "eve@x.y" },
      { name: null, email: null },
    ],
  } as unknown as Meeting;

  it("is Markdown with a title, and front matter with the known fields of the meeting", () => {
    expect(transcriptText("markdown", transcript, meeting)).toMatch(
      new RegExp(
        `^${[
          "---",
          'id: "mtg_1"',
          'title: "Weekly"',
          'date: "2025-01-01T09:00:00Z"',
          "duration: 1800",
          'source: "zoom"',
          'language: "en"',
          'host: "Ada"',
          'participants: \\["Ben","eve@x.y"\\]',
          "---",
          "",
          "# Weekly",
          "",
          "\\*\\*Ada\\*\\* 00:00:00",
        ].join("\n")}\n`,
      ),
    );
  });

  it("has no front matter for unknown fields", () => {
    const bare = {
      id: "mtg_1",
      title: null,
      status: "",
      source: "zoom",
      start_time: "2025-01-01T09:00:00Z",
    } as Meeting;
    const [, matter] = transcriptText("markdown", transcript, bare).split("---\n");
    expect(matter).toBe('id: "mtg_1"\ndate: "2025-01-01T09:00:00Z"\nsource: "zoom"\nlanguage: "en"\n');
    const hosts = [{ name: null, email: "ada@x.y" }, { name: null, email: null }, null];
    expect(
      hosts.map(
        (host) => /^host: .*$/m.exec(transcriptText("markdown", transcript, { ...bare, host } as Meeting))?.[0],
      ),
    ).toEqual(['host: "ada@x.y"', undefined, undefined]);
  });

  it.each(["srt", "vtt"] as const)(
    "has captions of at most 7 seconds and lines of at most 42 characters: %s",
    (format) => {
      const lines = transcriptText(format, transcript, meeting).split("\n");
      const times = lines.filter((line) => line.includes(" --> "));
      expect(times.length).toBe(5);
      const seconds = (time: string) => Number(time.replace(",", ".").split(":").at(-1));
      for (const time of times) {
        const [start = "", end = ""] = time.split(" --> ");
        expect(seconds(end) - seconds(start)).toBeLessThanOrEqual(7);
      }
      const shown = lines.map((line) => line.replace(/<.*?>/, ""));
      expect(Math.max(...shown.map((line) => line.length))).toBeLessThanOrEqual(42);
      expect(Math.max(...shown.filter((line) => !line.includes("-->")).map((line) => line.length))).toBeGreaterThan(25);
    },
  );
});
