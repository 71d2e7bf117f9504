/** `npx notetaker-sdk sync` into a real Postgres. */
import { aMeeting } from "notetaker-sdk/testing";
import { describe, expect, it } from "vitest";
import { runCommand } from "../command/support.js";
import { servedEmulator } from "../support/served-emulator.js";
import { hasPostgres, startPostgres } from "./support/postgres-server.js";

describe.runIf(hasPostgres)("npx notetaker-sdk sync --into postgres://…", () => {
  it("fills the tables, and ends its connections", async () => {
    const server = await startPostgres();
    try {
      const pool = server.pool();
      const { port } = pool.options;
      const { env } = await servedEmulator({ seed: { meetings: [aMeeting({ id: "mtg_1" })] }, stepTimes: "manual" });
      const url = `postgres://tester:secret_word@127.0.0.1:${port}/postgres`;
      const { exitCode, stdout, stderr } = await runCommand(["sync", "--into", url], env);
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining("1 meeting read, 1 changed")]);
      expect(stdout + stderr).not.toContain("secret_word");
      const { rows } = await pool.query("SELECT id, complete FROM notetaker_meetings");
      expect(rows).toEqual([{ id: "mtg_1", complete: true }]);
      const others = await pool.query(
        "SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
      );
      expect(others.rows).toEqual([]);
      await pool.end();
    } finally {
      await server.close();
    }
  });
});
