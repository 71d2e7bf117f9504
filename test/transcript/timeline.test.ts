import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timeline } from "../../src/transcript/timeline.js";
import type { Spoken } from "../../src/transcript/types.js";
import { anyTranscript } from "./arbitrary.js";

const said = (...times: [start: unknown, end: unknown][]) =>
  timeline({
    speakers: [],
    segments: times.map(
      ([start_time, end_time], index) => ({ speaker_id: "spk_1", start_time, end_time, text: `${index}` }) as Spoken,
    ),
  }).map(({ start_time, end_time, text }) => [text, start_time, end_time]);

describe("the times of a transcript", () => {
  it("are rounded to milliseconds, and may overlap", () => {
    expect(said([0.0004, 10], [2, 3.23456])).toEqual([
      ["0", 0, 10],
      ["1", 2, 3.235],
    ]);
  });

  it("sort the segments by start, and keep the listed order for the same start", () => {
    expect(said([9, 10], [2, 3], [9, 9.5], [2, 8]).map(([text]) => text)).toEqual(["1", "3", "0", "2"]);
  });

  it("are set to the start of the meeting if they are earlier", () => {
    expect(said([-4, -1], [-4, 2])).toEqual([
      ["0", 0, 0],
      ["1", 0, 2],
    ]);
  });

  it.each([undefined, null, Number.NaN, Number.POSITIVE_INFINITY, "4", 1e12])(
    "are derived from the previous listed segment if they are missing (%s)",
    (missing) => {
      expect(said([missing, 2], [5, 6], [missing, 9], [missing, missing], [7, missing])).toEqual([
        ["0", 0, 2],
        ["1", 5, 6],
        ["2", 6, 9],
        ["4", 7, 7],
        ["3", 9, 9],
      ]);
    },
  );

  it("give a segment no duration if it ends before it starts", () => {
    expect(said([5, 4])).toEqual([["0", 5, 5]]);
  });

  it("are in order and never negative, and no text is lost, for any transcript", () => {
    fc.assert(
      fc.property(anyTranscript, (transcript) => {
        const line = timeline(transcript);
        expect(line.map(({ text }) => text).sort()).toEqual(
          transcript.segments
            .map(({ text }) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim())
            .filter(Boolean)
            .sort(),
        );
        line.forEach(({ start_time, end_time }, index) => {
          expect(start_time).toBeGreaterThanOrEqual(line[index - 1]?.start_time ?? 0);
          expect(end_time).toBeGreaterThanOrEqual(start_time);
        });
      }),
    );
  });
});
