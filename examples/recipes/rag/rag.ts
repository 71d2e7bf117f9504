/**
 *   import { openai } from "@ai-sdk/openai";
 *
 *   const model = openai.embedding("text-embedding-3-small");
 *   const index = await buildIndex(new Notetaker(), model);
 *   const question = "Who pays for the flights?";
 *   const { text, sources } = await answer(index, openai("gpt-5"), question);
 */
import {
  cosineSimilarity,
  type EmbeddingModel,
  embed,
  embedMany,
  generateText,
  type LanguageModel,
} from "ai";
import type { Notetaker } from "notetaker-sdk";
import { walkMeetings } from "notetaker-sdk";
import { type Chunk, chunks, formatTime } from "notetaker-sdk/transcript";

export interface Passage extends Chunk {
  meetingId: string;
  title: string;
  embedding: number[];
}

export interface Index {
  model: EmbeddingModel;
  passages: Passage[];
}

/** About; for exact limits, count with the tokenizer of the model. */
const countTokens = (text: string) => Math.ceil(text.length / 4);

export async function buildIndex(
  notetaker: Notetaker,
  model: EmbeddingModel,
): Promise<Index> {
  const passages: Passage[] = [];
  for await (const { meeting, transcript } of walkMeetings(notetaker, {
    formats: { documents: [] },
  })) {
    if (transcript === undefined || transcript.segments.length === 0) continue;
    const parts = chunks(transcript, {
      maxTokens: 300,
      countTokens,
      overlapTurns: 1,
    });
    const { embeddings } = await embedMany({
      model,
      values: parts.map(({ text }) => text),
    });
    const { id: meetingId, title } = meeting;
    for (const [index, part] of parts.entries())
      passages.push({
        ...part,
        meetingId,
        title: title ?? meetingId,
        embedding: embeddings[index] ?? [],
      });
  }
  return { model, passages };
}

export async function retrieve(
  { model, passages }: Index,
  question: string,
  count = 5,
): Promise<Passage[]> {
  const { embedding } = await embed({ model, value: question });
  return passages
    .map((passage) => ({
      passage,
      score: cosineSimilarity(embedding, passage.embedding),
    }))
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
    .map(({ passage }) => passage);
}

export async function answer(
  index: Index,
  model: LanguageModel,
  question: string,
) {
  const sources = await retrieve(index, question);
  const excerpts = sources.map(
    ({ title, start_time, text }, number) =>
      `[${number + 1}] ${title}, from ${formatTime(start_time)}:\n${text}`,
  );
  const { text } = await generateText({
    model,
    system:
      "Answer only from the excerpts of meetings, and cite each by its number.",
    prompt: `${excerpts.join("\n\n")}\n\nQuestion: ${question}`,
  });
  return { text, sources };
}
