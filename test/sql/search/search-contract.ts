/** What an archive promises, over any database. */
import { readFileSync } from "node:fs";
import { ConfigurationError, InvalidArgumentError, NotFoundError, type Transcript } from "notetaker-sdk";
import { type Archive, openArchive, type SqlDriver } from "notetaker-sdk/sql";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { driverOf } from "../../../src/sql/drivers.js";
import { documentOf, itemOf, meetingOf, transcriptOf, write } from "../../sync/store/store-items.js";
import type { OpenedDatabase } from "../databases.js";

/** A meeting in which the speakers take turns, one for each text. */
export const talk = (id: string, ...texts: readonly string[]): Transcript => ({
  ...transcriptOf(id, ""),
  speakers: [
    { id: "spk_1", name: "Ada Okafor" },
    { id: "spk_2", name: "Ben" },
  ],
  segments: texts.map((text, index) => ({
    speaker_id: `spk_${(index % 2) + 1}`,
    start_time: index * 10,
    end_time: index * 10 + 9,
    text,
  })),
});

const spoken = (id: string, ...texts: readonly string[]) => itemOf(id, { transcript: talk(id, ...texts) });

const idsOf = (hits: Awaited<ReturnType<Archive["search"]>>) => hits.map(({ meeting }) => meeting.id);

/** For each language, what was said in it: with words of it, and other forms of the words. */
const QUESTIONS = readFileSync(new URL("questions.txt", import.meta.url), "utf8")
  .trim()
  .split("\n\n")
  .slice(1)
  .map((part) => {
    const [language = "", ...lines] = part.split("\n");
    return { language, rows: lines.map((line) => line.split(" | ") as [said: string, words: string, forms: string]) };
  });

export function searchContract(name: string, open: () => Promise<OpenedDatabase>) {
  describe(name, () => {
    let db: OpenedDatabase;
    let archive: Archive;
    beforeEach(async () => {
      db = await open();
      archive = openArchive(db.database);
    });
    afterEach(() => db.close());

    const fill = () =>
      write(db.store(), [
        spoken("mtg_1", "Good morning. The renewal price is 4,000 euros.", "Too much for a renewal.", "Café, then?"),
        itemOf("mtg_2", {
          meeting: { ...meetingOf("mtg_2", "Renewal of Acme"), start_time: "2026-02-01T09:00:00Z" },
          transcript: talk("mtg_2", "What will it cost?", "We price it next week.", "契約更新の価格"),
          documents: [documentOf("doc_1"), { ...documentOf("doc_2"), content: "# Summary\n\nThe renewal\n\nis sold." }],
        }),
      ]);

    it("says which command makes the tables", async () => {
      await expect(archive.search("x")).rejects.toThrow(ConfigurationError);
      await expect(archive.meetings.list()).rejects.toThrow(/notetaker-sdk sync --into/);
    });

    it("finds who said it, when, and where the words are in the text", async () => {
      await fill();
      const [hit] = await archive.search("renewal price");
      expect(hit).toEqual({
        meeting: {
          ...{ id: "mtg_1", title: "Title of mtg_1", start_time: "2026-01-05T09:00:00+01:00", status: "completed" },
          gone: false,
        },
        kind: "transcript",
        text: "Good morning. The renewal price is 4,000 euros.",
        matches: [
          { start: 18, end: 25 },
          { start: 26, end: 31 },
        ],
        ...{ speaker: "Ada Okafor", start_time: 0, end_time: 9, exact: true },
      });
      const [document] = await archive.search('"renewal is sold"', { in: "documents" });
      expect(document).toMatchObject({ kind: "document", document: { id: "doc_2", title: "Title of doc_2" } });
      expect(document).not.toHaveProperty("speaker");
    });

    it.each<[string, Parameters<Archive["search"]>[1], (string | undefined)[]]>([
      ["renewal price", {}, ["mtg_1 0 true", "mtg_2 10 true"]],
      ["price -renewal", {}, []],
      ["price -euros", {}, ["mtg_2 10 true"]],
      ['"price is"', {}, ["mtg_1 0 true"]],
      ['"is price"', {}, []],
      ["rene* euros", {}, ["mtg_1 0 true"]],
      ["morn euro", {}, ["mtg_1 0 false"]],
      ["is the morning euros horseradish", { perMeeting: 1, in: "transcripts" }, ["mtg_1 0 false"]],
      ["CAFE", {}, ["mtg_1 20 true"]],
      ["契", {}, ["mtg_2 20 false"]],
      ["renewal", { speaker: "ben", meetingIds: ["mtg_1"] }, ["mtg_1 10 true"]],
      ["renewal", { speaker: "Ada Okafor", since: "2026-01-06", limit: 1 }, ["mtg_2 0 true"]],
      ["renewal", { until: "2026-01-05", limit: 1, speaker: "okafor" }, ["mtg_1 0 true"]],
      ["renewal", { since: new Date("2026-02-02") }, []],
      ["renewal", { meetingIds: [] }, []],
      ["renewal", { meetingIds: ["mtg_\0", "mtg_\ud800"] }, []],
      ["renewal", { until: "0000-01-01" }, []],
      ["renewal", { speaker: "…" }, []],
      ["… ?!", {}, []],
      ["-price", {}, []],
    ])("answers %j, %j", async (query, options, expected) => {
      await fill();
      const hits = await archive.search(query, options);
      const shown = hits.some(({ exact }) => exact) ? hits.filter(({ exact }) => exact) : hits;
      expect(shown.map(({ meeting, start_time, exact }) => `${meeting.id} ${start_time} ${exact}`).sort()).toEqual(
        [...expected].sort(),
      );
    });

    it("takes nothing of a query for syntax of the database", async () => {
      await fill();
      const hostile = [
        ...["'", '"', "''", '""', "\\", "\0", "';--", "*", "-", "- -", "^x", "a:b", "title:renewal", "{words}:x", "＊"],
        ...["NEAR(a b)", "NOT", "OR OR", "(", "))", "a AND", "a & | ! <->", "'a':*", ":*", "a:*B", "$1", "?", "%", "_"],
        ...["\ud800", "\udc00x", "renewal\ud800", "'x' -> y", "ﷺ", "½", "🎉", "ａ＊", "\u2028", '-"', "x*y*"],
        ...["a".repeat(70_000), "a ".repeat(20_000), `${'"'.repeat(9_999)}x`, "-".repeat(50_000)],
        "x\u0301".repeat(5_000),
      ];
      for (const query of hostile) {
        const hits = await archive.search(query).catch((error) => error);
        if (hits instanceof InvalidArgumentError) expect(query.trim()).toBe("");
        else expect(hits, query.slice(0, 30)).toBeInstanceOf(Array);
      }
    });

    it("refuses a query without words, and an invalid option", async () => {
      const refused: [unknown, object][] = [
        ...["", " \n", 5].map((query): [unknown, object] => [query, {}]),
        ...[{ limit: 0 }, { limit: 201 }, { in: "rooms" }, { speaker: " " }].map((one): [string, object] => ["x", one]),
        ["x", { since: "2026-02-01", until: "2026-01-01" }],
        ["x", { speakers: "Ada" }],
      ];
      for (const [query, options] of refused) {
        await expect(archive.search(query as string, options)).rejects.toThrow(InvalidArgumentError);
      }
      await expect(archive.search("x", { since: "yesterday" })).rejects.toThrow(
        /^archive.search: since: expected a Date, or a calendar date of the form YYYY-MM-DD, received "yesterday"$/,
      );
    });

    it("returns at most three passages of a meeting, and those with all words before the others", async () => {
      await write(db.store(), [
        spoken("mtg_1", "budget one", "budget two", "budget three", "budget four", "budget plan"),
        spoken("mtg_2", "the plan of the budget"),
      ]);
      const hits = await archive.search("budget plan");
      const exact = hits.slice(0, 2).map(({ text }) => text);
      expect(exact.sort()).toEqual(["budget plan", "the plan of the budget"]);
      expect(hits.map((hit) => hit.exact)).toEqual([true, true, false, false]);
      expect(idsOf(hits).filter((id) => id === "mtg_1")).toHaveLength(3);
      expect(await archive.search("budget plan", { limit: 3, perMeeting: 200 })).toHaveLength(3);
    });

    it("of passages with some of the words, puts those with the rare ones first, and marks each word", async () => {
      const small = Array.from({ length: 12 }, (_, n) => `How did it go, and how did the talk of day ${n} go?`);
      await write(db.store(), [
        spoken("mtg_noise", ...small),
        spoken("mtg_half", "How did the load on the elevator go?"),
        spoken(
          "mtg_2",
          "We ran a test with load on the second cluster, and it took all of the night until somebody stopped.",
        ),
        spoken("mtg_other", "The tests are green."),
      ]);
      const query = "how did the load test go yesterday";
      const hits = await archive.search(query, { perMeeting: 1 });
      expect(idsOf(hits).slice(0, 2)).toEqual(["mtg_2", "mtg_half"]);
      const marked = hits.map(({ text, matches }) => matches.map(({ start, end }) => text.slice(start, end)).join(" "));
      expect(marked.slice(0, 2)).toEqual(["test load the the", "How did the load the go"]);
      const eight = "alpha bravo charlie delta echo foxtrot golf hotel";
      await write(db.store(), [spoken("mtg_8", ...eight.split(" ").map((word) => `${word} ${word}s`))]);
      expect(await archive.search(`${eight} zeppelin`, { perMeeting: 8, meetingIds: ["mtg_8"] })).toHaveLength(8);
      const long = "how did go it and talk of day the zebras load test tests";
      expect(idsOf(await archive.search(long, { perMeeting: 1 }))[0]).toBe("mtg_2");
    });

    it("marks all of a word with an apostrophe", async () => {
      const texts = ["I said don't, didn't I?", "We’ll see.", "L\u02bcaccord tient."];
      await write(db.store(), [spoken("mtg_1", ...texts)]);
      for (const [query, marked] of [
        ["don't", ["don't"]],
        ["we'll", ["We’ll"]],
        ["accord tient", ["L\u02bcaccord", "tient"]],
      ] as const) {
        const [hit] = await archive.search(query);
        expect(hit?.matches.map(({ start, end }) => hit.text.slice(start, end))).toEqual(marked);
      }
    });

    it("finds a common word, also beside one that is nowhere", async () => {
      const texts = Array.from({ length: 2_001 }, (_, n) => `acme ${n % 2 === 0 ? "budget" : ""}`);
      await write(db.store(), [spoken("mtg_1", ...texts), spoken("mtg_2", "A quagga of acme.")]);
      const [hit] = await archive.search("Acme zeppelin");
      expect(hit).toMatchObject({ meeting: { id: "mtg_1" }, exact: false, matches: [{ start: 0, end: 4 }] });
      // What is common is so in its account.
      await write(db.store("other"), [spoken("mtg_1", "Two acmes.")]);
      expect(idsOf(await openArchive(db.database, { account: "other" }).search("acme"))).toEqual(["mtg_1"]);
      const [rare] = await archive.search("acme quagga zeppelin");
      expect(rare?.matches).toEqual([
        { start: 2, end: 8 },
        { start: 12, end: 16 },
      ]);
      await write(db.store(), [spoken("mtg_3", ...texts.map((text) => `${text} budget`))]);
      const [both] = await archive.search("budget zeppelin acme");
      expect(both?.matches.length).toBeGreaterThanOrEqual(2);
    });

    it("finds what was stored since, as it is now, and not what has gone from the tables", async () => {
      const store = db.store();
      await write(store, [spoken("mtg_1", "alpha"), { ...spoken("mtg_2", "alpha"), isGone: true }]);
      const hits = await archive.search("alpha");
      expect(hits.map(({ meeting: { id, gone } }) => [id, gone]).sort()).toEqual([
        ["mtg_1", false],
        ["mtg_2", true],
      ]);
      await write(store, [{ ...spoken("mtg_1", "beta"), before: "memory of mtg_1" }, spoken("mtg_3", "alpha")]);
      expect(idsOf(await archive.search("alpha")).sort()).toEqual(["mtg_2", "mtg_3"]);
      expect(idsOf(await archive.search("beta"))).toEqual(["mtg_1"]);
      await store.write({ items: [], removed: [{ id: "mtg_2", before: "memory of mtg_2" }] }, undefined);
      await db.query("DELETE FROM notetaker_meetings WHERE id = 'mtg_3'");
      expect(await archive.search("alpha")).toEqual([]);
      expect(await db.query("SELECT meeting_id FROM notetaker_passages")).toEqual([{ meeting_id: "mtg_1" }]);
      await write(store, [{ ...spoken("mtg_3", "alpha"), before: "memory of mtg_3" }]);
      expect(idsOf(await archive.search("alpha"))).toEqual(["mtg_3"]);
    });

    it("keeps accounts apart, by every path", async () => {
      for (const account of ["", "acme"]) {
        const id = `mtg_${account || "own"}`;
        await write(db.store(account), [
          itemOf(id, { transcript: talk(id, `secret of ${id}`), documents: [documentOf(`doc_${account || "own"}`)] }),
        ]);
      }
      const acme = openArchive(db.database, { account: "acme" });
      await acme.update();
      for (const [one, own, foreign] of [
        [archive, "own", "acme"],
        [acme, "acme", "own"],
      ] as const) {
        // What another account has takes no place, either.
        expect(idsOf(await one.search("secret", { limit: 1 }))).toEqual([`mtg_${own}`]);
        expect(await one.search(`mtg ${foreign}`, { meetingIds: [`mtg_${foreign}`] })).toEqual([]);
        expect((await one.meetings.list()).data.map(({ id }) => id)).toEqual([`mtg_${own}`]);
        await expect(one.meetings.get(`mtg_${foreign}`)).rejects.toThrow(NotFoundError);
        await expect(one.meetings.getTranscript(`mtg_${foreign}`)).rejects.toThrow(NotFoundError);
        await expect(one.documents.get(`doc_${foreign}`)).rejects.toThrow(NotFoundError);
      }
      await db.query("DELETE FROM notetaker_meetings WHERE account = 'acme'");
      expect(await acme.search("secret")).toEqual([]);
      expect(await archive.search("secret")).toHaveLength(1);
      // The account begins anew, with lower versions.
      await db.query("DELETE FROM notetaker_memory WHERE account = 'acme'");
      await db.query("DELETE FROM notetaker_accounts WHERE account = 'acme'");
      await write(db.store("acme"), [spoken("mtg_new", "secret again")]);
      expect(idsOf(await acme.search("secret"))).toEqual(["mtg_new"]);
    });

    it("reads meetings, transcripts and documents as the client does", async () => {
      await fill();
      const first = await archive.meetings.list({ limit: 1 });
      expect(first.data).toMatchObject([{ id: "mtg_2" }]);
      expect((await first.nextPage()).data).toMatchObject([{ id: "mtg_1" }]);
      const listed = async (params: Parameters<Archive["meetings"]["list"]>[0]) =>
        (await archive.meetings.list(params)).data.map(({ id }) => id);
      expect(await listed({ search: "acme" })).toEqual(["mtg_2"]);
      expect(await listed({ q: "Café" })).toEqual(["mtg_1"]);
      expect(await listed({ ids: ["mtg_1", "mtg_9"] })).toEqual(["mtg_1"]);
      expect(await listed({ start_date: "2026-01-06", status: "completed" })).toEqual(["mtg_2"]);
      expect(await listed({ participant: "Ada" })).toEqual([]);
      const { documents } = await archive.meetings.get("mtg_2", { expand: ["documents"] });
      expect(documents).toMatchObject([{ id: "doc_1" }, { id: "doc_2" }]);
      expect((await archive.meetings.getTranscript("mtg_1")).segments).toHaveLength(3);
      expect(await archive.documents.get("doc_1", { format: "markdown" })).toMatchObject({ format: "markdown" });
      expect(await archive.documents.find("mtg_2", /doc_2/)).toMatchObject({ id: "doc_2" });
      for (const [missing, message] of [
        [() => archive.meetings.get("mtg_9"), /mtg_9/],
        [() => archive.meetings.getTranscript("mtg_9"), /mtg_9 is not stored$/],
        [() => archive.documents.get("doc_1", { format: "html" }), /doc_1 is not stored, or not as html$/],
        [() => archive.documents.get("doc_9"), /doc_9 is not stored/],
      ] as const) {
        const error = await missing().catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(NotFoundError);
        expect((error as Error).message).toMatch(message);
      }
      expect(await listed({ scope: "all", company: "horse" })).toEqual([]);
      for (const [params, options] of [
        [{ room_id: "room_1" }, {}],
        [{ scope: "owned" }, {}],
        [{}, { query: { room_id: "room_1" } }],
      ] as const) {
        await expect(archive.meetings.list(params, options)).rejects.toThrow(InvalidArgumentError);
      }
      const issue = { path: "cursor", code: "invalid" };
      const moment = "2026-01-05T09:00:00.000Z";
      const cursors = [
        "abc",
        ...[
          ["x", "y"],
          ["2026", "mtg_1"],
          [moment, "mtg_\0"],
        ].map((one) => JSON.stringify(one)),
      ];
      for (const cursor of cursors) {
        await expect(archive.meetings.list({ cursor }), cursor).rejects.toMatchObject({ issues: [issue] });
      }
      const wrong = { timeout: 5 };
      const unknown = { issues: [{ path: "timeout", code: "unknown_option" }] };
      await expect(archive.meetings.list({}, wrong as object)).rejects.toMatchObject(unknown);
      await expect(archive.meetings.getTranscript("mtg_1", wrong as object)).rejects.toMatchObject(unknown);
    });

    it("indexes in transactions, two at once as well, reports its progress, and ends by its signal", async () => {
      const ids = Array.from({ length: 45 }, (_, index) => `mtg_${index}`);
      await write(
        db.store(),
        ids.map((id) => spoken(id, `alpha ${id}`)),
      );
      const controller = new AbortController();
      const reports: object[] = [];
      const aborted = archive.update({
        signal: controller.signal,
        onProgress: (progress) => {
          reports.push(progress);
          controller.abort(new Error("enough"));
        },
      });
      await expect(aborted).rejects.toThrow("enough");
      expect(reports).toEqual([{ indexed: 20, total: 45 }]);
      // A timer, and so Ctrl-C, gets a turn between two transactions.
      const late = new AbortController();
      setTimeout(() => late.abort(new Error("late")), 0);
      await expect(archive.update({ signal: late.signal })).rejects.toThrow("late");
      const both = await Promise.all([archive.update(), openArchive(db.database).update()]);
      expect(both.reduce((sum, { indexed }) => sum + indexed, 0)).toBeGreaterThanOrEqual(5);
      expect(await archive.update()).toEqual({ indexed: 0 });
      expect(await archive.search("alpha", { limit: 200 })).toHaveLength(45);
    });

    it.each(["23503", "40P01"])(
      "reads a batch again if the database refuses it with %s, but not for ever",
      async (code) => {
        await write(db.store(), [spoken("mtg_1", "alpha"), spoken("mtg_2", "alpha")]);
        const real = driverOf("test", db.database);
        let refusals = 1;
        const refusing: SqlDriver = {
          dialect: real.dialect,
          all: (sql, params) => real.all(sql, params),
          transaction(statements) {
            const isIndex = statements.some(({ sql }) => sql.includes("INSERT INTO notetaker_passages"));
            if (!isIndex || refusals === 0) return real.transaction(statements);
            refusals -= 1;
            return Promise.reject(Object.assign(new Error("a meeting was removed"), { code }));
          },
        };
        expect(await openArchive(refusing).search("alpha")).toHaveLength(2);
        await write(db.store(), [spoken("mtg_3", "alpha")]);
        refusals = Number.POSITIVE_INFINITY;
        await expect(openArchive(refusing).search("alpha")).rejects.toThrow("a meeting was removed");
      },
    );

    it("does not index a version that has changed since it was read", async () => {
      const store = db.store();
      await write(store, [spoken("mtg_1", "alpha"), spoken("mtg_2", "other")]);
      const real = driverOf("test", db.database);
      let before: (() => Promise<unknown>) | undefined = async () => {
        await write(store, [{ ...spoken("mtg_1", "beta"), before: "memory of mtg_1" }]);
        await openArchive(db.database).search("beta");
      };
      const late: SqlDriver = {
        dialect: real.dialect,
        all: (sql, params) => real.all(sql, params),
        async transaction(statements) {
          if (statements.some(({ sql }) => sql.includes("INSERT INTO notetaker_passages"))) {
            const change = before;
            before = undefined;
            await change?.();
          }
          return real.transaction(statements);
        },
      };
      const slow = openArchive(late);
      await slow.search("x");
      expect(await slow.search("alpha")).toEqual([]);
      expect(await archive.search("beta")).toHaveLength(1);
      expect(await archive.search("other")).toHaveLength(1);
    });

    it("shows nothing of a transcript that was written anew since it was found", async () => {
      const store = db.store();
      await write(store, [spoken("mtg_1", "alpha"), spoken("mtg_2", "alpha")]);
      const real = driverOf("test", db.database);
      const slow = openArchive({
        ...real,
        async all(sql, params) {
          if (sql.includes("AS passage_id")) {
            await write(store, [{ ...spoken("mtg_1", "beta", "alpha"), before: "memory of mtg_1" }]);
          }
          return real.all(sql, params);
        },
      });
      expect(idsOf(await slow.search("alpha"))).toEqual(["mtg_2"]);
    });

    it("shows no text that was deleted by hand, and refuses one that was changed", async () => {
      await write(db.store(), [spoken("mtg_1", "alpha"), itemOf("mtg_2", { documents: [documentOf("doc_1")] })]);
      await archive.update();
      await db.query("DELETE FROM notetaker_documents");
      expect(await archive.search("doc_1", { in: "documents" })).toEqual([]);
      await db.query(`UPDATE notetaker_meetings SET transcript = '{"segments":[]}'`);
      await expect(archive.search("alpha")).rejects.toThrow(/the text of mtg_1 is not the one that was indexed/);
      await db.query("UPDATE notetaker_meetings SET transcript = NULL");
      expect(await archive.search("alpha")).toEqual([]);
    });

    it("makes an index of another version of this library anew", async () => {
      await fill();
      await archive.update();
      for (const change of [
        "DROP TABLE IF EXISTS notetaker_words",
        "DROP TABLE notetaker_passages",
        "CREATE TABLE notetaker_passages (id integer, account text)",
      ]) {
        await db.query(change);
      }
      const [hit] = await openArchive(db.database).search("renewal price");
      expect(hit).toMatchObject({ meeting: { id: "mtg_1" }, exact: true });
    });

    it("finds what was said in thirteen languages: 95 % by its words, 80 % by other forms of them", async () => {
      const items = QUESTIONS.map(({ language, rows }) => spoken(`mtg_${language}`, ...rows.map(([said]) => said)));
      await write(db.store(), items);
      const missed: string[][] = [[], []];
      const all = QUESTIONS.flatMap(({ rows }) => rows);
      for (const [said, ...questions] of all) {
        for (const [kind, question] of questions.entries()) {
          const hits = await archive.search(question, { limit: 5, perMeeting: 5 });
          if (!hits.some(({ text }) => text === said)) missed[kind]?.push(question);
        }
      }
      expect([QUESTIONS.length, all.length]).toEqual([13, 78]);
      expect(missed[0]?.length, missed[0]?.join("\n")).toBeLessThanOrEqual(all.length * 0.05);
      expect(missed[1]?.length, missed[1]?.join("\n")).toBeLessThanOrEqual(all.length * 0.2);
    });
  });
}
