/** The content of transcript files in each format. */
import { expect, it } from "vitest";
import { rendererOf, type TranscriptFormat } from "../../../src/node/folder-store/transcript-files.js";
import type { Meeting } from "../../../src/schemas/meeting.js";
import type { Transcript } from "../../../src/schemas/transcript.js";

const text = "word ".repeat(30).trim();
const transcript = {
  meeting_id: "mtg_1",
  language: "en",
  speakers: [{ id: "spk_1", name: "Ada" }],
  segments: [{ speaker_id: "spk_1", start_time: 0, end_time: 30, text }],
} as Transcript;
const bare = { id: "mtg_1", title: null, status: "", source: "zoom", start_time: "2025-01-01T09:00:00Z" } as Meeting;
const write = (format: TranscriptFormat, fields: object = {}) =>
  rendererOf(format).render(transcript, { ...bare, ...fields }, {});

it("Markdown has a title, and front matter with the known fields of the meeting", () => {
  const participants = [
    { name: "Ben", email: "b@x.y" },
    { name: null, email: "eve@x.y" },
    { name: null, email: null },
  ];
  const fields = { title: "Weekly", duration: 1800, host: { name: "Ada", email: "ada@x.y" }, participants };
  const lines = ['id: "mtg_1"', 'title: "Weekly"', 'date: "2025-01-01T09:00:00Z"', "duration: 1800", 'source: "zoom"'];
  const others = ['language: "en"', 'host: "Ada"', 'participants: ["Ben","eve@x.y"]'];
  const matter = ["---", ...lines, ...others, "---", "", "# Weekly", "", "**Ada** 00:00:00", ""].join("\n");
  expect(write("markdown", fields).startsWith(matter)).toBe(true);
  const [, ofBare] = write("markdown", { host: { name: null, email: null } }).split("---\n");
  expect(ofBare).toBe('id: "mtg_1"\ndate: "2025-01-01T09:00:00Z"\nsource: "zoom"\nlanguage: "en"\n');
  expect(write("markdown", { host: { name: null, email: "ada@x.y" } })).toContain('host: "ada@x.y"');
});

it.each(["srt", "vtt"] as const)("captions have at most 7 seconds and lines of at most 42 characters: %s", (format) => {
  const lines = write(format).split("\n");
  const times = lines.filter((line) => line.includes(" --> "));
  expect(times.length).toBe(5);
  const seconds = (time = "") => Number(time.replace(",", ".").split(":").at(-1));
  for (const time of times) {
    const [start, end] = time.split(" --> ");
    expect(seconds(end) - seconds(start)).toBeLessThanOrEqual(7);
  }
  const lengths = lines.filter((line) => !line.includes("-->")).map((line) => line.replace(/<.*?>/, "").length);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(42);
  expect(Math.max(...lengths)).toBeGreaterThan(25);
});
