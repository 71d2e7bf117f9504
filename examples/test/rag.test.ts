/** Answers from an archive: by words, and with vectors in pgvector and sqlite-vec, which are made without a model. */
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite/vector";
import { DatabaseSync } from "@photostructure/sqlite";
import { MockEmbeddingModelV3, MockLanguageModelV3 } from "ai/test";
import { type MeetingStore, Notetaker, syncMeetings } from "notetaker-sdk";
import { type Archive, forgetMeetings, openArchive, postgresStore, sqliteStore } from "notetaker-sdk/sql";
import { aMeeting, aTranscript, createEmulator } from "notetaker-sdk/testing";
import { load } from "sqlite-vec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answer, byWords } from "../recipes/rag/answer.js";
import { ArchiveRetriever } from "../recipes/rag/langchain-retriever.js";
import { pgvector, sqliteVec, vectorIndex } from "../recipes/rag/vectors.js";

const FILLER: [string, string][] = Array.from({ length: 60 }, (_, index) => [
  "Ines",
  `Point number ${index} of the agenda is about nothing that anybody asks for, as every week.`,
]);
const meetings = Object.entries({
  mtg_plan: ["Ada: The onboarding flag is turned on for everybody on Friday."],
  mtg_cost: ["Bo: The flights cost nine hundred euros.", "Ada: Then the agency pays."],
  mtg_long: ["Cy: Hello.", ...FILLER.map(([name, text]) => `${name}: ${text}`), "Cy: The zebra contract ends in May."],
}).map(([id, lines]) => aMeeting({ id, title: `Title of ${id}`, documents: [], transcript: aTranscript({ lines }) }));

interface Opened {
  archive(account: string): Archive;
  store(account: string): MeetingStore;
  database: Parameters<typeof vectorIndex>[1];
}

const DATABASES: Record<string, () => Promise<Opened>> = {
  async pgvector() {
    const db = await PGlite.create({ extensions: { vector } });
    afterAll(() => db.close());
    return {
      archive: (account) => openArchive(db, { account }),
      store: (account) => postgresStore(db, { account }),
      database: pgvector(db),
    };
  },
  async "sqlite-vec"() {
    const db = new DatabaseSync(":memory:", { allowExtension: true });
    afterAll(() => db.close());
    db.enableLoadExtension(true);
    load(db);
    return {
      archive: (account) => openArchive(db, { account }),
      store: (account) => sqliteStore(db, { account }),
      database: sqliteVec(db),
    };
  },
};
const sqlite = await DATABASES["sqlite-vec"]!();

async function filled({ archive, store, database }: Opened, account = "") {
  const { clientOptions } = createEmulator({ seed: { meetings }, limits: "none" });
  await syncMeetings(new Notetaker(clientOptions), { into: store(account), requestsPerMinute: 1_000 });
  return { archive: archive(account), store: store(account), database };
}

/** Counts words, of which some mean the same, and one is unknown. */
function embeddings() {
  const texts: string[] = [];
  const MEANINGS: Record<string, string> = { price: "cost", fare: "flights" };
  const embed = (text: string) => {
    const vector = new Array<number>(64).fill(0.001);
    for (const word of text.toLowerCase().match(/\p{L}{3,}/gu) ?? []) {
      if (word === "zebra") continue;
      const hash = [...(MEANINGS[word] ?? word)].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 64, 7);
      vector[hash] = (vector[hash] ?? 0) + 1;
    }
    return vector;
  };
  const model = new MockEmbeddingModelV3({
    maxEmbeddingsPerCall: 4,
    doEmbed: async ({ values }) => {
      texts.push(...values);
      return { embeddings: values.map(embed), warnings: [] };
    },
  });
  return { model, texts };
}

/** A model that always says this. */
const saying = (text: string) =>
  new MockLanguageModelV3({
    doGenerate: async () => ({
      content: [{ type: "text", text }],
      finishReason: { unified: "stop", raw: "stop" },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    }),
  });

test("each quote of an answer comes with its place, and one that the model has made up without", async () => {
  const { archive } = await filled(sqlite);
  const question = "When is the onboarding flag turned on?";
  const passages = await byWords(archive, question);
  expect(passages[0]).toMatchObject({ meeting_id: "mtg_plan", title: "Title of mtg_plan", start_time: 0 });
  const model = saying(
    'On Friday [1] "turned on for  everybody on Friday", or never [1]: “we never turn it on”, as [99] "they say".',
  );
  const { text, quotes } = await answer(archive, model, question, passages);
  expect(text).toMatch(/^On Friday/);
  expect(quotes).toMatchObject([
    { found: { start_time: expect.any(Number), speaker_name: "Ada" }, passage: { meeting_id: "mtg_plan" } },
    { quote: "we never turn it on", found: undefined },
    { quote: "they say", passage: undefined, found: undefined },
  ]);
  const prompt = JSON.stringify(model.doGenerateCalls[0]?.prompt);
  expect(prompt).toContain("[1] Title of mtg_plan\\n[00:00:00] Ada: The onboarding flag");
  expect(prompt).toContain(`Question: ${question}`);
});

describe.each(Object.entries(DATABASES))("vectors in %s", (_, open) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open();
  });

  test("find what was said in other words, and what has the same words, with one query", async () => {
    const { archive, database } = await filled(opened, "acme");
    const { model, texts } = embeddings();
    const vectors = vectorIndex(archive, database, model, "acme");
    await vectors.update();
    expect(texts.length).toBeGreaterThan(4);

    expect(await byWords(archive, "price fare")).toEqual([]);
    const [byMeaning] = await vectors.find("price fare");
    expect(byMeaning).toMatchObject({ meeting_id: "mtg_cost", title: "Title of mtg_cost", start_time: 0 });
    expect(byMeaning?.text).toContain("nine hundred euros");

    const [byBoth, next] = await vectors.find("zebra price");
    expect(byBoth?.meeting_id).toBe("mtg_long");
    expect(byBoth?.text).toContain("zebra contract");
    expect(byBoth?.start_time).toBeGreaterThan(0);
    expect(next?.meeting_id).toBe("mtg_cost");
  });

  test("are made once for each text, and go with a meeting that is forgotten", async () => {
    const { archive, store, database } = await filled(opened);
    const { model, texts } = embeddings();
    const vectors = vectorIndex(archive, database, model);
    await vectors.update();
    const count = texts.length;
    await database.all("UPDATE notetaker_meetings SET version = version + 1 WHERE account = ''");
    await vectors.update();
    expect(texts).toHaveLength(count);
    const found = async () => (await vectors.find("zebra")).map(({ meeting_id }) => meeting_id);
    expect(await found()).toContain("mtg_cost");
    await forgetMeetings(store, ["mtg_cost"]);
    expect(await found()).not.toContain("mtg_cost");
    const left = await database.all("SELECT account FROM meeting_vectors WHERE meeting_id = 'mtg_cost'");
    expect(left.map(({ account }) => account)).not.toContain("");
    expect(await vectorIndex(archive, database, model, "another").find("zebra")).toEqual([]);
  });
});

test("a retriever of LangChain returns documents", async () => {
  const { archive } = await filled(sqlite);
  const [first] = await new ArchiveRetriever(archive).invoke("zebra contract");
  expect(first).toMatchObject({
    pageContent: "The zebra contract ends in May.",
    metadata: { meeting_id: "mtg_long", title: "Title of mtg_long", speaker: "Cy", start_time: expect.any(Number) },
  });
});
