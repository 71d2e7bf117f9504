/**
 *   import { openai } from "@ai-sdk/openai";
 *
 *   const archive = openArchive(new pg.Pool());
 *   const question = "Who pays for the flights?";
 *   const passages = await byWords(archive, question);
 *   const { text, quotes } = await answer(
 *     archive,
 *     openai("gpt-5"),
 *     question,
 *     passages,
 *   );
 */
import { generateText, type LanguageModel } from "ai";
import type { Archive } from "notetaker-sdk/sql";
import { findQuotes, formatTime } from "notetaker-sdk/transcript";

/** Something that was said in a meeting. */
export interface Passage {
  meeting_id: string;
  title: string | null;
  start_time: number;
  /** Lines with the time and the speaker. */
  text: string;
}

export async function byWords(archive: Archive, question: string) {
  const hits = await archive.search(question, { in: "transcripts", limit: 8 });
  return hits.map(({ meeting, start_time = 0, speaker, text }): Passage => {
    const { id: meeting_id, title } = meeting;
    const line = `[${formatTime(start_time)}] ${speaker}: ${text}`;
    return { meeting_id, title, start_time, text: line };
  });
}

// #region answer
const SYSTEM = `Answer only from the excerpts of meetings. After each statement, \
prove it with the number of an excerpt and its own words: [1] "we ship on Friday". \
If the excerpts do not answer the question, say so.`;

/** The answer, and each of its quotes with the place where it was said. */
export async function answer(
  { meetings }: Archive,
  model: LanguageModel,
  question: string,
  passages: readonly Passage[],
) {
  const excerpts = passages.map(
    ({ title, text }, index) =>
      `[${index + 1}] ${title ?? "Untitled"}\n${text}`,
  );
  const prompt = `${excerpts.join("\n\n")}\n\nQuestion: ${question}`;
  const { text } = await generateText({ model, system: SYSTEM, prompt });
  const quotes = [];
  for (const [, number, quote = ""] of text.matchAll(
    /\[(\d+)\][:\s]*["“](.+?)["”]/gs,
  )) {
    const passage = passages[Number(number) - 1];
    const [result] = passage
      ? findQuotes(await meetings.getTranscript(passage.meeting_id), [quote])
      : [];
    // Without `found`, nobody said it in this meeting: the model made it up.
    quotes.push({ quote, passage, found: result?.found });
  }
  return { text, quotes };
}
// #endregion
