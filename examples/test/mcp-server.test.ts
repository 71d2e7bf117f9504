/** The example of a Model Context Protocol server, used by the protocol's own client over stdio. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";
import { emulatedAccount } from "./support/emulated-account.js";
import { examples } from "./support/run-folder.js";

test("an MCP client lists the tools of the server, and calls them with valid and invalid input", async () => {
  const { env } = await emulatedAccount();
  const client = new Client({ name: "test", version: "1.0.0" });
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ["--import", "tsx", "tools/mcp-server.ts", "--write"],
      cwd: examples,
      env: { ...(process.env as Record<string, string>), ...env },
      stderr: "inherit",
    }),
  );
  const call = async (name: string, input: object) => {
    const { isError, content } = await client.callTool({ name, arguments: { ...input } });
    const [{ text } = { text: "" }] = content as { text: string }[];
    return { isError, ...JSON.parse(text) };
  };
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(10);
  for (const { name } of tools)
    expect(await call(name, { nonsense: true }), name).toMatchObject({
      isError: true,
      error: { name: "InvalidArgumentError" },
    });
  await expect(client.callTool({ name: "no_such_tool" })).rejects.toMatchObject({ code: -32602 });

  const { meetings } = await call("find_meetings", { status: "completed" });
  const { id: permission_id } = await call("share_meeting_with_anyone", { meeting_id: meetings[0].id });
  const revoked = await call("revoke_permission", { meeting_id: meetings[0].id, permission_id });
  expect(revoked).toEqual({ isError: false, revoked: true });
});
