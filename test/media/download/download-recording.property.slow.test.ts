/** Whatever the storage does, a download ends with the exact bytes or with an error. */
import * as fc from "fast-check";
import { NotetakerError } from "notetaker-sdk";
import { beforeEach, expect, it, vi } from "vitest";
import { hasUsualRuns, runs } from "../../support/property-seed.js";
import { type Entity, MEETING, storage, type Turn } from "./storage.js";

beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

/** Files that differ in every byte, so that no mixture of two files looks like one of them. */
const file = (version: number, size: number): Entity => ({
  bytes: Uint8Array.from({ length: size }, (_, index) => (index * 7 + version * 97) % 256),
  etag: `"${version}"`,
});

const size = fc.integer({ min: 0, max: 200 });
const position = fc.integer({ min: 0, max: 210 });

const turn: fc.Arbitrary<Turn> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ dropAfter: position }) },
  fc.record({ status: fc.constantFrom(400, 403, 404, 410, 416, 429, 500, 503) }),
  fc.constant({ unreachable: true }),
  fc.record({ ignoreRange: fc.constant(true), dropAfter: position }),
  fc.record({ shift: fc.integer({ min: -50, max: 50 }), dropAfter: position }),
  fc.record({ endAfter: position }),
  fc.record({ surplus: fc.integer({ min: 1, max: 20 }), dropAfter: position }),
  fc.record({
    headers: fc.constantFrom<Record<string, string | undefined>>(
      { "content-length": undefined },
      { "content-range": undefined },
      { "content-range": "bytes 0-9/10" },
      { "content-range": "bytes */200" },
      { "content-encoding": "gzip" },
      { etag: undefined },
    ),
    dropAfter: position,
  }),
);

/** At some requests the file changes. Only the ETag shows the change, since the size may stay the same. */
const turns = fc
  .array(fc.tuple(turn, fc.option(size, { freq: 12, nil: undefined })), { maxLength: 12 })
  .map((all) =>
    all.map(
      ([one, changed], index): Turn => (changed === undefined ? one : { ...one, change: file(index + 1, changed) }),
    ),
  );

/** Failures that earlier runs of this test have found. */
const FOUND: [number, Turn[], boolean][] = [
  [0, [{ headers: { "content-length": undefined }, dropAfter: 1, change: file(1, 2) }, { endAfter: 0 }], false],
  [
    0,
    [
      { dropAfter: 0, change: file(1, 1) },
      { headers: { "content-encoding": "gzip" }, dropAfter: 1 },
      { surplus: 1, dropAfter: 2 },
    ],
    false,
  ],
  [
    0,
    [
      { surplus: 1, dropAfter: 1, change: file(1, 2) },
      { headers: { "content-range": "bytes 0-9/10" }, dropAfter: 1, change: file(2, 10) },
    ],
    false,
  ],
  [
    0,
    [
      { dropAfter: 0, change: file(1, 7) },
      { headers: { "content-length": undefined }, dropAfter: 6 },
      { dropAfter: 0, change: file(3, 6) },
    ],
    true,
  ],
];

/** Whether a response may hide the length of the file. */
const hidesLength = ({ headers = {} }: Turn) => "content-length" in headers || "content-encoding" in headers;

/**
 * A storage that hides the length and sends no ETag with a 416 may have replaced the file by a file that is exactly as
 * long as the bytes received so far. No client can notice that (see `docs/uploads-and-recordings.md`), so no such
 * storage is generated.
 */
const outcomeOf = async (first: Entity, planned: readonly Turn[], validatorIn416: boolean) => {
  const { notetaker, requests } = storage(first, [...planned], {
    validatorIn416: validatorIn416 || planned.some(hidesLength),
  });
  const pieces: Uint8Array[] = [];
  try {
    const { stream } = await notetaker.meetings.downloadRecording(MEETING);
    for await (const piece of stream as unknown as AsyncIterable<Uint8Array>) pieces.push(piece);
  } catch (error) {
    return { error, requests: requests.length };
  }
  return { bytes: Buffer.concat(pieces), requests: requests.length };
};

it("a download delivers the exact bytes of one file or fails, whatever the storage does", async () => {
  const counts = { exact: 0, error: 0 };
  await fc.assert(
    fc.asyncProperty(size, turns, fc.boolean(), async (firstSize, planned, validatorIn416) => {
      const first = file(0, firstSize);
      const { bytes, error, requests } = await outcomeOf(first, planned, validatorIn416);
      // At most the planned requests, and one more.
      expect(requests).toBeLessThanOrEqual(planned.length + 1);
      if (bytes === undefined) {
        counts.error += 1;
        expect(error).toBeInstanceOf(NotetakerError);
        return;
      }
      counts.exact += 1;
      const files = [first, ...planned.flatMap(({ change }) => change ?? [])];
      expect(files.some((one) => bytes.equals(Buffer.from(one.bytes)))).toBe(true);
    }),
    { numRuns: runs(150), examples: FOUND },
  );
  // Both results must occur, or the test would prove nothing.
  if (hasUsualRuns) expect(Math.min(counts.exact, counts.error)).toBeGreaterThan(3);
});
