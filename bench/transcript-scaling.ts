/**
 * Measures how the time of the functions of notetaker-sdk/transcript grows: the cost of a segment among 400,000 beside
 * its cost among 100,000. The cost is the same for linear work, and a little higher if segments must be sorted. Both
 * sizes exceed the CPU caches and the young heap, in which smaller transcripts look cheaper than they are.
 *
 * Run it with `npx tsx bench/transcript-scaling.ts`. It exits with 1 if a segment costs more than `WORST` times as
 * much.
 */
import { chunks, search, toMarkdown, toSrt, toText, toVtt, turns } from "../src/transcript/index.js";
import type { SpokenTranscript } from "../src/transcript/types.js";

const WORST = 2;
const [FEW, MANY] = [100_000, 400_000];

type Shape = (index: number) => { speaker: number; text: string };
const shapes: Record<string, Shape> = {
  "short turns": (index) => ({ speaker: index % 5, text: `This is what segment number ${index} says, more or less.` }),
  "one speaker": (index) => ({ speaker: 0, text: `This is what segment number ${index} says, more or less.` }),
  Chinese: (index) => ({ speaker: index % 5, text: `这是第${index}段所说的内容，大致如此。我们继续往下看。` }),
};

function transcript(length: number, shape: Shape, shuffled: boolean): SpokenTranscript {
  const segments = Array.from({ length }, (_, index) => {
    const { speaker, text } = shape(index);
    const start_time = 4 * (shuffled ? (index * 7_919) % length : index);
    return { speaker_id: `spk_${speaker}` as const, start_time, end_time: start_time + (index % 9), text };
  });
  return { speakers: [0, 1, 2, 3, 4].map((id) => ({ id: `spk_${id}` as const, name: `Speaker ${id}` })), segments };
}

const functions: Record<string, (transcript: SpokenTranscript) => unknown> = {
  turns,
  toText,
  toMarkdown,
  toSrt,
  toVtt,
  "toVtt split": (value) => toVtt(value, { maxLineLength: 42, maxCueSeconds: 6 }),
  search: (value) => search(value, "number 9"),
  chunks: (value) => chunks(value, { maxTokens: 1_000, countTokens: (text) => text.length / 4, overlapTurns: 2 }),
};

function milliseconds(run: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...times);
}

let worst = 0;
for (const [shapeName, shape] of Object.entries(shapes)) {
  for (const shuffled of [false, true]) {
    const [few, many] = [transcript(FEW, shape, shuffled), transcript(MANY, shape, shuffled)];
    for (const [name, run] of Object.entries(functions)) {
      const time = milliseconds(() => run(few));
      const growth = milliseconds(() => run(many)) / time / (MANY / FEW);
      worst = Math.max(worst, growth);
      const label = `${shapeName}${shuffled ? ", shuffled" : ""}`.padEnd(22);
      console.log(`${label} ${name.padEnd(12)} ${time.toFixed(0).padStart(6)} ms for ${FEW}   × ${growth.toFixed(2)}`);
    }
  }
}
console.log(`worst × ${worst.toFixed(2)}, allowed × ${WORST}`);
process.exitCode = worst > WORST ? 1 : 0;
