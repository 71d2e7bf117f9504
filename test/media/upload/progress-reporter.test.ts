/** The values with which an upload calls `onProgress`. */
import { describe, expect, it } from "vitest";
import { ProgressReporter, type UploadProgress } from "../../../src/media/upload/progress-reporter.js";

function reporter() {
  const reported: UploadProgress[] = [];
  return { reporter: new ProgressReporter((progress) => reported.push(progress)), reported };
}

describe("the progress of an upload", () => {
  it("starts at 0, and never decreases", () => {
    const { reporter: progress, reported } = reporter();
    for (const sentBytes of [0, 5, 0, 4, 6]) progress.report(sentBytes, 10);
    expect(reported).toEqual([
      { sentBytes: 0, totalBytes: 10 },
      { sentBytes: 5, totalBytes: 10 },
      { sentBytes: 6, totalBytes: 10 },
    ]);
  });

  it("ends at the size", () => {
    const { reporter: progress, reported } = reporter();
    progress.report(6, 10);
    progress.finish(10);
    expect(reported.at(-1)).toEqual({ sentBytes: 10, totalBytes: 10 });
  });

  it("of a stream has a total when everything is sent", () => {
    const { reporter: progress, reported } = reporter();
    progress.report(6, undefined);
    progress.finish(undefined);
    expect(reported).toEqual([
      { sentBytes: 6, totalBytes: undefined },
      { sentBytes: 6, totalBytes: 6 },
    ]);
  });

  it("needs no callback", () => {
    const progress = new ProgressReporter(undefined);
    expect(() => {
      progress.report(0, 10);
      progress.finish(10);
    }).not.toThrow();
  });
});
