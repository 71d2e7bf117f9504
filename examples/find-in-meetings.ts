/**
 * Retrieval: finds the parts of meetings that answer a question. Each transcript is cut into chunks, and each chunk
 * becomes a vector. The chunks whose vectors are nearest to that of the question are shown with their meeting, time and
 * source line.
 *
 *   npx tsx examples/find-in-meetings.ts "When do we ship?" [--top 3]
 *
 * The vectors are made by hashing words, so that the program runs without a model: replace `embed` by the embeddings of
 * your model. With NOTETAKER_BASE_URL and NOTETAKER_TOKEN set, it reads the live service; otherwise it reads the
 * embedded emulator.
 */
import { parseArgs } from "node:util";
import { NotFoundError } from "notetaker-sdk";
import { type Chunk, chunks, formatTime, type Turn } from "notetaker-sdk/transcript";
import { exampleClient } from "./support/client.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { top: { type: "string", default: "3" } },
});
const [question = "What did we decide?"] = positionals;

const DIMENSIONS = 4096;

/** The longer words of a text without their endings, so that "shipped" and "ships" are equal. */
const stems = (text: string) => (text.toLowerCase().match(/\p{L}{4,}|\p{N}+/gu) ?? []).map((word) => word.slice(0, 4));

/** Counts each word at the position of its hash (FNV-1a), and scales the vector to length 1. */
function embed(text: string): Float64Array {
  const vector = new Float64Array(DIMENSIONS);
  for (const stem of stems(text)) {
    let hash = 0x811c9dc5;
    for (let index = 0; index < stem.length; index += 1) hash = Math.imul(hash ^ stem.charCodeAt(index), 0x01000193);
    const place = (hash >>> 0) % DIMENSIONS;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

const similarity = (left: Float64Array, right: Float64Array) =>
  left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);

interface Entry extends Chunk {
  title: string;
  vector: Float64Array;
}

/**
 * Reads every transcript in short chunks, so that a match is near its source. Each chunk repeats the last turn of the
 * one before.
 */
async function readMeetings(): Promise<Entry[]> {
  const notetaker = exampleClient();
  const entries: Entry[] = [];
  for await (const { id, title } of notetaker.meetings.list({ status: "completed" }, { onInvalid: "skip" })) {
    const transcript = await notetaker.meetings.getTranscript(id).catch((error: unknown) => {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    });
    if (!transcript) continue;
    const parts = chunks(transcript, {
      maxTokens: 60,
      overlapTurns: 1,
      countTokens: (text) => Math.ceil(text.length / 4),
      line: ({ speaker_name, text }) => `${speaker_name}: ${text}`,
    });
    entries.push(...parts.map((part) => ({ ...part, title: title ?? id, vector: embed(part.text) })));
  }
  return entries;
}

/** The turn of a chunk that is most similar to the question. */
const sourceLine = ({ turns }: Chunk, wanted: Float64Array): Turn | undefined =>
  [...turns].sort((a, b) => similarity(embed(b.text), wanted) - similarity(embed(a.text), wanted))[0];

const wanted = embed(question);
const best = (await readMeetings())
  .map((entry) => ({ entry, score: similarity(entry.vector, wanted) }))
  .sort((a, b) => b.score - a.score)
  .slice(0, Number(values.top));

for (const { entry, score } of best) {
  const { title, start_time, end_time, speakers } = entry;
  console.log(
    `${title}, ${formatTime(start_time)} to ${formatTime(end_time)} (${speakers.join(", ")}): ${score.toFixed(2)}`,
  );
  const line = sourceLine(entry, wanted);
  if (line) console.log(`  [${formatTime(line.start_time)}] ${line.speaker_name}: ${line.text}`);
}
