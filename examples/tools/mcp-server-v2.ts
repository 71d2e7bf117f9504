/** The tools in a server of your own, with version 2 of the packages of the Model Context Protocol. */
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import type { Notetaker } from "notetaker-sdk";
import { tools } from "notetaker-sdk/tools";

export function createServer(notetaker: Notetaker): McpServer {
  const server = new McpServer({ name: "notetaker", version: "1.0.0" });
  for (const { name, title, description, annotations, jsonSchema, execute } of tools(notetaker)) {
    server.registerTool(
      name,
      { title, description, annotations, inputSchema: fromJsonSchema(jsonSchema) },
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
