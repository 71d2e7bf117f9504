/** The tools in a server of your own, with version 2 of the packages of the Model Context Protocol. */
import { McpServer } from "@modelcontextprotocol/server";
import type { Notetaker } from "notetaker-sdk";
import { tools } from "notetaker-sdk/tools";

export function createServer(notetaker: Notetaker): McpServer {
  const server = new McpServer({ name: "notetaker", version: "1.0.0" });
  for (const { name, title, description, annotations, inputSchema, jsonSchema, execute } of tools(notetaker)) {
    // The host lists `jsonSchema`; `inputSchema` also takes the `null`, `""` and `"5"` that models send.
    const { validate } = inputSchema["~standard"];
    const standard = {
      version: 1,
      vendor: "notetaker-sdk",
      validate,
      jsonSchema: { input: () => jsonSchema, output: () => jsonSchema },
    } as const;
    server.registerTool(
      name,
      { title, description, annotations, inputSchema: { "~standard": standard } },
      async (input, { mcpReq }) => {
        const result = await execute(input, { signal: mcpReq.signal });
        return {
          content: [{ type: "text", text: JSON.stringify(result) }],
          structuredContent: result,
          isError: "error" in result,
        };
      },
    );
  }
  return server;
}
