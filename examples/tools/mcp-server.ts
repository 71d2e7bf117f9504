/**
 * A server of the Model Context Protocol over stdio, with version 1 of its packages. If you change nothing in it,
 * `npx notetaker-sdk mcp` is this server.
 *
 *   npx tsx examples/tools/mcp-server.ts [--write]
 *
 * With NOTETAKER_BASE_URL and NOTETAKER_TOKEN set, it uses the live service; otherwise it uses the embedded emulator.
 */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { tools } from "notetaker-sdk/tools";
import { exampleClient } from "../support/client.js";

const available = tools(exampleClient(), { write: process.argv.includes("--write") });

const server = new Server({ name: "notetaker", version: "1.0.0" }, { capabilities: { tools: {} } });

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: available.map(({ name, title, description, annotations, jsonSchema }) => ({
    ...{ name, title, description, annotations },
    inputSchema: jsonSchema as Tool["inputSchema"],
  })),
}));

server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
  const tool = available.find(({ name }) => name === params.name);
  if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `unknown tool ${params.name}`);
  const result = await tool.execute(params.arguments, { signal });
  return {
    content: [{ type: "text", text: JSON.stringify(result) }],
    structuredContent: { ...result },
    isError: "error" in result,
  };
});

await server.connect(new StdioServerTransport());
