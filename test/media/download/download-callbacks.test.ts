/** What happens when a download's callbacks throw, and which listeners a download leaves on the caller's signal. */
import { getEventListeners } from "node:events";
import { ConnectionError } from "notetaker-sdk";
import { beforeEach, expect, it, vi } from "vitest";
import { rejection } from "../../support/recorder.js";
import { bytesOfLength } from "../upload/upload-service.js";
import { gathered, MEETING, storage, type Turn } from "./storage.js";

const recording = { bytes: bytesOfLength(100), etag: '"one"' };
const broken = (times: number) => Array<Turn>(times).fill({ dropAfter: 1 });

beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

it.each([
  ["an error", new Error("the disk is full")],
  ["an error that looks like a lost connection", new ConnectionError({ message: "mine", retryable: true })],
])("a download ends with the unchanged error if onProgress throws %s", async (_, thrown) => {
  const { notetaker, requests } = storage(recording);
  const onProgress = () => {
    throw thrown;
  };
  expect(await rejection(notetaker.meetings.downloadRecording(MEETING, { onProgress }))).toBe(thrown);
  expect(requests).toHaveLength(1);
});

it("a download that resumes 15 times has one listener on the caller's signal, and none at its end", async () => {
  const warnings: unknown[] = [];
  const onWarning = (warning: unknown) => void warnings.push(warning);
  process.on("warning", onWarning);
  const { signal } = new AbortController();
  const counts: number[] = [];
  const onProgress = () => void counts.push(getEventListeners(signal, "abort").length);
  const { notetaker, requests } = storage(recording, broken(15));
  const { stream } = await notetaker.meetings.downloadRecording(MEETING, { signal, onProgress });
  await gathered(stream);
  // Node prints the warning in a later turn of the event loop.
  await new Promise((resolve) => setTimeout(resolve, 10));
  process.off("warning", onWarning);
  expect(requests).toHaveLength(16);
  expect(warnings).toEqual([]);
  expect(Math.max(...counts)).toBeLessThanOrEqual(1);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
