/** Retrieval with the mock models of the `ai` package, and documents for LangChain. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { aMeeting } from "notetaker-sdk/testing";
import { expect, test } from "vitest";
import { runProgram } from "../../test/support/run-program.js";
import { emulatedAccount } from "./support/emulated-account.js";
import { oddAccount, oddFields } from "./support/odd-account.js";
import { recipeFolder } from "./support/run-folder.js";

/**
 * Hashed words as embeddings, a model that repeats its prompt, and LangChain's vector store over LangChain's
 * embeddings.
 */
const DRIVER = `
  import { MockEmbeddingModelV3, MockLanguageModelV3 } from "ai/test";
  import { Notetaker } from "notetaker-sdk";
  import { meetingDocuments } from "./langchain-documents.ts";
  import { answer, buildIndex } from "./rag.ts";

  const words = (text) => text.toLowerCase().match(/\\p{L}{4,}/gu) ?? [];
  const embed = (text) => {
    const vector = new Array(512).fill(0);
    for (const word of words(text)) {
      let hash = 7;
      for (const letter of word) hash = (hash * 31 + letter.codePointAt(0)) % 512;
      vector[hash] += 1;
    }
    return vector;
  };
  const embeddings = new MockEmbeddingModelV3({
    maxEmbeddingsPerCall: 4,
    doEmbed: async ({ values }) => {
      if (values.length === 0) throw new Error("nothing to embed");
      return { embeddings: values.map(embed), warnings: [] };
    },
  });
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const model = new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => ({
      content: [{ type: "text", text: prompt.at(-1).content[0].text }],
      finishReason: { unified: "stop", raw: "stop" },
      usage,
      warnings: [],
    }),
  });

  const notetaker = new Notetaker();
  const index = await buildIndex(notetaker, embeddings);
  const { text, sources } = await answer(index, model, process.argv[2]);
  const documents = await meetingDocuments(notetaker);
  console.log(JSON.stringify({ passages: index.passages.length, text, sources, documents }));
`;

test("an answer comes with the passages of the meetings on which it is based", async () => {
  const { service, env } = await emulatedAccount();
  const folder = recipeFolder("rag");
  writeFileSync(join(folder, "driver.ts"), DRIVER);
  const question = "When is the onboarding flag turned on for everybody?";
  const { output, exitCode } = await runProgram("driver.ts", [question], env, folder);
  expect(exitCode, output).toBe(0);
  const { passages, text, sources, documents } = JSON.parse(output);

  expect(passages).toBeGreaterThan(8);
  expect(sources).toHaveLength(5);
  expect(sources[0]).toMatchObject({ title: "Weekly product sync", meetingId: expect.stringMatching(/^mtg_/) });
  expect(sources[0].text).toContain("turn the flag on for everybody");
  expect(text).toMatch(/^\[1\] Weekly product sync, from \d\d:\d\d:\d\d:\n\[\d\d:\d\d:\d\d\] /);
  expect(text).toContain(`Question: ${question}`);

  const completed = service.meetings.list().filter(({ status }) => status === "completed");
  const ids = documents.map(({ metadata }: { metadata: { meeting_id: string } }) => metadata.meeting_id);
  expect(new Set(ids)).toEqual(new Set(completed.map(({ id }) => id)));
  expect(documents[0]).toMatchObject({
    pageContent: expect.stringContaining(": "),
    metadata: { from: expect.any(Number) },
  });
  expect(new Set(documents.map(({ id }: { id: string }) => id)).size).toBe(documents.length);
});

test("the index is built completely from an account in which every list has an invalid row", async () => {
  const silent = aMeeting({ id: "mtg_silent", transcript: { speakers: [], segments: [] } });
  const seed = { ...oddAccount, meetings: [silent, ...(oddAccount.meetings ?? [])] };
  const { env } = await emulatedAccount({ seed }, oddFields);
  const folder = recipeFolder("rag");
  writeFileSync(join(folder, "driver.ts"), DRIVER);
  const { output, exitCode } = await runProgram("driver.ts", ["What was said this morning?"], env, folder);
  expect(exitCode, output).toBe(0);
  const { documents } = JSON.parse(output);
  const ids = documents.map(({ metadata }: { metadata: { meeting_id: string } }) => metadata.meeting_id);
  expect(ids).toContain("mtg_start");
  expect(ids).not.toContain("mtg_silent");
});
