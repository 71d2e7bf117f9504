/** The commands that search, over a real Postgres. */
import { openArchive, postgresStore } from "notetaker-sdk/sql";
import { beforeAll, describe, expect, it } from "vitest";
import { mcp } from "../../src/command/mcp.js";
import { runCommand } from "../command/support.js";
import { talk } from "../sql/search/search-contract.js";
import { itemOf, write } from "../sync/store/store-items.js";
import { hasPostgres } from "./support/postgres-server.js";
import { serverWithSchemas } from "./support/schemas.js";

describe.skipIf(!hasPostgres)("with a real Postgres", () => {
  const database = serverWithSchemas();

  it("an archive uses the schema that it is told, whatever the search path has", async () => {
    const { pool, schema } = await database.emptySchema();
    const elsewhere = database.server.pool("public");
    await write(postgresStore(elsewhere, { schema }), [itemOf("mtg_1", { transcript: talk("mtg_1", "alpha") })]);
    expect(await openArchive(elsewhere, { schema }).search("alpha")).toHaveLength(1);
    expect((await pool.query("SELECT count(*)::int AS n FROM notetaker_passages")).rows).toEqual([{ n: 1 }]);
    await Promise.all([pool.end(), elsewhere.end()]);
  });

  describe("the command search", () => {
    let url: string;
    beforeAll(async () => {
      const pool = database.server.pool();
      const { host, port } = pool.options;
      url = `postgres://tester@${host}:${port}/postgres`;
      await pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
      const empty = await runCommand(["search", "alpha", "--in", url]);
      expect(empty).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("notetaker-sdk sync --into") });
      await write(postgresStore(pool), [
        itemOf("mtg_1", { transcript: talk("mtg_1", "Hi.", "The renewal\u001b[31m price is 4,000 euros.") }),
        itemOf("mtg_2", { transcript: talk("mtg_2", "No renewal.") }),
      ]);
      await write(postgresStore(pool, { account: "acme" }), [
        itemOf("mtg_3", { transcript: talk("mtg_3", "The renewal of Acme.") }),
      ]);
      await pool.end();
    });

    it("prints who said it and when, grouped by meeting, and bold words on a terminal alone", async () => {
      const { stdout, exitCode } = await runCommand(["search", "renewal price", "--in", url, "--limit", "1"]);
      expect(exitCode).toBe(0);
      expect(stdout).toBe(
        "2026-01-05  Title of mtg_1  mtg_1\n  [00:00:10] Ben: The renewal [31m price is 4,000 euros.\n",
      );
      const { stdout: bold } = await runCommand(["search", "renewal price", "--in", url], {}, { isTTY: true });
      const [exact, ...rest] = bold.split("Some of the words, or other forms of them:\n");
      expect(exact).toContain("\u001b[1mrenewal\u001b[22m");
      expect(rest).toEqual([expect.stringMatching(/^2026-01-05 {2}Title of mtg_2 {2}mtg_2\n {2}\[00:00:00] Ada/)]);
    });

    it("prints JSON, ends with 1 if it finds nothing, and with 2 for wrong arguments", async () => {
      const found = await runCommand(["search", "renewal", "--in", url, "--json", "--speaker", "Ada"]);
      expect(JSON.parse(found.stdout)).toMatchObject([{ meeting: { id: "mtg_2" }, exact: true }]);
      const nothing = { exitCode: 1, stdout: "", stderr: "nothing found\n" };
      expect(await runCommand(["search", "horse", "--in", url])).toEqual(nothing);
      expect((await runCommand(["search", "x", "--in", "postgres://127.0.0.1:1/none"])).exitCode).toBe(2);
      for (const args of [
        ["x"],
        ["--in", url],
        ["x", "--in", "no-such.sqlite"],
        ["x", "--in", "./folder/"],
        ["x", "--in", url, "--limit", "0"],
        ["x", "--in", url, "--since", "soon"],
      ]) {
        expect((await runCommand(["search", ...args])).exitCode, args.join(" ")).toBe(2);
      }
    });

    it("says which accounts there are, if the database has none of that name", async () => {
      for (const args of [
        ["search", "renewal", "--in", url],
        ["mcp", "--archive", url],
      ]) {
        const missing = await runCommand([...args, "--account", "akme"]);
        expect(missing, args[0]).toMatchObject({ exitCode: 2, stdout: "" });
        expect(missing.stderr).toContain('it has "", "acme"');
        expect((await runCommand([...args, "--account", "acme"])).stderr).toBe("");
      }
      const own = await runCommand(["search", "renewal", "--in", url, "--account", "acme"]);
      expect(own).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("mtg_3") });
      expect((await runCommand(["mcp", "--emulator", "--account", "acme"])).exitCode).toBe(2);
      // Also an account that a message with many names would leave out.
      const others = "SELECT 'a' || number FROM generate_series(100, 200) AS number";
      const pool = database.server.pool();
      await pool.query(
        `INSERT INTO notetaker_accounts (account, version, schema) SELECT name, 0, 1 FROM (${others}) AS o (name)`,
      );
      await pool.end();
      expect((await runCommand(["search", "renewal", "--in", url, "--account", "acme"])).exitCode).toBe(0);
    });

    it("mcp --archive serves the stored meetings without a token", async () => {
      const message = (id: number, method: string, params: object) =>
        `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
      const { Readable } = await import("node:stream");
      let output = "";
      const stdout = {
        write(text: string | Uint8Array, done?: () => void) {
          output += String(text);
          done?.();
        },
      };
      const exitCode = await mcp.run(["--archive", url], {
        env: {},
        stdin: Readable.from([
          message(1, "initialize", {
            ...{ protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
          }),
          message(2, "tools/list", {}),
          message(3, "tools/call", { name: "search_meetings", arguments: { query: "renewal price" } }),
        ]),
        stdout,
        stderr: { write: () => {} },
        signal: new AbortController().signal,
      });
      expect(exitCode).toBe(0);
      const answers = output
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      const names = answers.find(({ id }) => id === 2).result.tools.map(({ name }: { name: string }) => name);
      expect(names).toContain("search_meetings");
      expect(names).not.toContain("list_rooms");
      expect(answers.find(({ id }) => id === 3).result.structuredContent.passages[0]).toMatchObject({ speaker: "Ben" });
      for (const args of [["--write"], ["--emulator"]]) {
        expect((await runCommand(["mcp", "--archive", url, ...args])).exitCode).toBe(2);
      }
    });
  });
});
