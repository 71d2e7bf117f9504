/** Meetings of an hour whose words are as frequent as in a language, and queries for them. The same ones in each run. */
import type { StoreItem } from "../src/index.js";

export const SEGMENTS = 600;

let seed = 1;
export const random = () => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
};

const SYLLABLES = "ka lo mi ren su tor ven al be chi dro fen gus hal ist jor".split(" ");
export const VOCABULARY = Array.from({ length: 30_000 }, (_, index) =>
  [...index.toString(16)].map((digit) => SYLLABLES[Number.parseInt(digit, 16)]).join(""),
);
/** As in a language, a few words are in most sentences. */
const word = () => VOCABULARY[Math.floor(VOCABULARY.length ** random()) - 1] ?? "a";

export function meeting(number: number, segmentCount = SEGMENTS): StoreItem {
  const id = `mtg_${number}` as const;
  let speaker = 1;
  const segments = Array.from({ length: segmentCount }, (_, index) => {
    if (random() < 0.4) speaker = 1 + Math.floor(random() * 4);
    const text = Array.from({ length: 10 }, word).join(" ");
    return { speaker_id: `spk_${speaker}` as const, start_time: index * 6, end_time: index * 6 + 5, text: `${text}.` };
  });
  const speakers = [1, 2, 3, 4].map((one) => ({ id: `spk_${one}` as const, name: `Person ${VOCABULARY[one * 999]}` }));
  const start_time = new Date(Date.UTC(2024, 0, 1) + number * 3_600_000).toISOString();
  return {
    ...{ id, documents: [], documentKinds: new Map(), documentsGone: [], missing: [], isGone: false, memory: "m" },
    meeting: { id, title: `${word()} ${word()}`, status: "completed", source: "zoom", start_time },
    transcript: { meeting_id: id, language: "en", speakers, segments },
  } as unknown as StoreItem;
}

/** Two or three of the longest words that somebody said together: not the most common ones. */
export function queryFrom({ segments }: { readonly segments: readonly { readonly text: string }[] }): string {
  const words = (segments[Math.floor(random() * segments.length)]?.text ?? "a").replace(".", "").split(" ");
  return words
    .sort((a, b) => b.length - a.length)
    .slice(0, random() < 0.5 ? 2 : 3)
    .join(" ");
}
