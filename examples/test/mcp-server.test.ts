/** The example of a Model Context Protocol server, used by the protocol's own client over stdio. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createEmulator } from "notetaker-sdk/testing";
import { expect, test } from "vitest";
import { examples } from "./support/run-folder.js";

test("an MCP client lists every tool of the server and calls each with valid and invalid input", async () => {
  const service = createEmulator();
  const { url, close } = await service.listen({ port: 0 });
  const client = new Client({ name: "test", version: "1.0.0" });
  try {
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: ["--import", "tsx", "tools/mcp-server.ts", "--write"],
        cwd: examples,
        env: { ...(process.env as Record<string, string>), NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: service.token },
        stderr: "inherit",
      }),
    );
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(10);

    const call = async (name: string, input: object) => {
      const result = await client.callTool({ name, arguments: { ...input } });
      const [content] = result.content as { text: string }[];
      return { isError: result.isError, data: JSON.parse(content?.text ?? "null") };
    };
    for (const { name } of tools) {
      const { isError, data } = await call(name, { nonsense: true });
      expect(isError, name).toBe(true);
      expect(data.error.name, name).toBe("InvalidArgumentError");
    }

    await expect(client.callTool({ name: "no_such_tool" })).rejects.toMatchObject({ code: -32602 });

    const { data } = await call("find_meetings", { status: "completed" });
    const meeting_id = data.meetings[0].id;
    const event_id = (await call("list_upcoming_meetings", {})).data.events[0].id;
    const { data: found } = await call("find_document", { meeting_id, kind: "summary" });
    const inputs: Record<string, object> = {
      find_meetings: {},
      get_meeting: { meeting_id },
      list_rooms: {},
      get_transcript: { meeting_id },
      search_transcript: { meeting_id, query: "the" },
      get_document: { document_id: found.document.id },
      find_document: { meeting_id, kind: "action_items" },
      list_upcoming_meetings: {},
      send_bot: { meeting_url: "https://meet.google.com/abc-defg-hij" },
      schedule_bot: { event_id },
      cancel_bot: { event_id },
      set_automation: { automation: "MANUAL" },
      share_meeting: { meeting_id, recipient_type: "team", role: "read" },
      share_meeting_with_anyone: { meeting_id },
      list_permissions: { meeting_id },
    };
    for (const { name } of tools) {
      if (name === "revoke_permission") continue;
      const result = await call(name, inputs[name] ?? {});
      expect(result.isError, `${name}: ${JSON.stringify(result.data)}`).toBe(false);
    }
    const { data: shared } = await call("share_meeting_with_anyone", { meeting_id });
    const revoked = await call("revoke_permission", { meeting_id, permission_id: shared.id });
    expect(revoked.data).toEqual({ revoked: true });
  } finally {
    await client.close();
    await close();
  }
});
