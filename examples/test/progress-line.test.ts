/** The progress line of the export-vault example. */
import { Writable } from "node:stream";
import type { ExportProgress } from "notetaker-sdk/node";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { line, progressLine } from "../export-vault/progress.js";

const progress: ExportProgress = {
  phase: "exporting",
  meetings: 200,
  meetingsDone: 50,
  allListed: false,
  saved: 149,
  missing: 1,
  current: "Weekly\u001b[2J sync",
  waitMs: undefined,
};

describe("the progress line", () => {
  it("shows the progress and the current meeting, without control characters", () => {
    expect(line(progress, undefined, 0, 200)).toBe(
      "██████░░░░░░░░░░░░░░░░░░ 50/200+ meetings · 149 saved · 1 missing · Weekly [2J sync",
    );
  });

  it("shows that the export is complete", () => {
    const done = { ...progress, phase: "done", meetingsDone: 200, allListed: true, missing: 0 } as const;
    expect(line(done, undefined, 0, 200)).toBe("████████████████████████ 200/200 meetings · 149 saved · done");
  });

  it("is cut to the width of the terminal", () => {
    expect([...line({ ...progress, current: "🎉".repeat(200) }, undefined, 0, 80)]).toHaveLength(80);
  });

  describe("during a wait", () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it("counts the seconds down", () => {
      let shown = "";
      const stream = Object.assign(
        new Writable({
          write(chunk, _, done) {
            shown += String(chunk);
            done();
          },
        }),
        { isTTY: true, columns: 120 },
      ) as unknown as NodeJS.WriteStream;
      const bar = progressLine(stream);
      bar.update({ ...progress, phase: "waiting", waitMs: 3_000 });
      vi.advanceTimersByTime(4_000);
      bar.stop();
      for (const seconds of [3, 2, 1]) expect(shown).toContain(`waiting ${seconds} s for the service`);
    });
  });
});
