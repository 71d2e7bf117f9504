/** The example agents, with a scripted model and without a network. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { RunContext } from "@openai/agents";
import { MockLanguageModelV3 } from "ai/test";
import { Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, it } from "vitest";
import { answer } from "../tools/ai-agent.js";
import { langchainTools } from "../tools/langchain.js";
import { createServer } from "../tools/mcp-server-v2.js";
import { openaiTools } from "../tools/openai-agents.js";

function emulated() {
  const service = createEmulator();
  return new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: service.fetch });
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

describe("an agent of the ai package", () => {
  it("finds a meeting, reads its summary and answers", async () => {
    const results: string[] = [];
    let step = 0;
    const model = new MockLanguageModelV3({
      doGenerate: async ({ prompt }) => {
        const last = JSON.stringify(prompt.at(-1));
        results.push(last);
        step += 1;
        const call = (toolName: string, input: object) => ({
          content: [{ type: "tool-call" as const, toolCallId: `call_${step}`, toolName, input: JSON.stringify(input) }],
          finishReason: { unified: "tool-calls" as const, raw: "tool_calls" },
          usage,
          warnings: [],
        });
        if (step === 1) return call("find_meetings", { status: "completed", limit: 1 });
        const id = /mtg_[A-Za-z0-9_-]+/.exec(last)?.[0];
        if (step === 2) return call("find_document", { meeting_id: id, kind: "summary" });
        return {
          content: [{ type: "text" as const, text: `They decided: ${last.length} characters` }],
          finishReason: { unified: "stop" as const, raw: "stop" },
          usage,
          warnings: [],
        };
      },
    });
    const text = await answer(model, emulated(), "What did we decide in the last call?");
    expect(text).toContain("They decided");
    expect(results[1]).toContain("find_meetings");
    expect(results[2]).toContain("summary");
    expect(results[2]).not.toContain("InvalidArgumentError");
  });
});

describe("an agent of LangChain", () => {
  it("calls the tools with checked input", async () => {
    const tools = langchainTools(emulated());
    const find = tools.find(({ name }) => name === "find_meetings");
    const found = JSON.parse((await find?.invoke({ limit: 1 })) as string);
    expect(found.meetings).toHaveLength(1);
    const asSent = JSON.parse((await find?.invoke({ limit: "1", search: null, q: "" })) as string);
    expect(asSent.meetings).toHaveLength(1);
    await expect(find?.invoke({ limit: "many" })).rejects.toThrow();
  });
});

describe("an agent of the OpenAI package", () => {
  it("calls a tool through the package's own type", async () => {
    const find = openaiTools(emulated()).find(({ name }) => name === "find_meetings");
    const found = JSON.parse(String(await find?.invoke(new RunContext(), '{"limit":1}')));
    expect(found.meetings).toHaveLength(1);
  });
});

describe("a server of one's own with version 2 of the packages of the Model Context Protocol", () => {
  it("lists the tools, and answers a client of version 1", async () => {
    const [ofClient, ofServer] = InMemoryTransport.createLinkedPair();
    const server = createServer(emulated());
    await server.connect(ofServer as Parameters<typeof server.connect>[0]);
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(ofClient);
    const { tools } = await client.listTools();
    expect(tools[0]).toMatchObject({ name: "find_meetings", title: "Find meetings" });
    const result = await client.callTool({ name: "find_meetings", arguments: { limit: 1 } });
    expect(result.structuredContent).toMatchObject({ meetings: [{}] });
    const asSent = await client.callTool({ name: "find_meetings", arguments: { limit: "1", search: null, q: "" } });
    expect(asSent.structuredContent).toMatchObject({ meetings: [{}] });
    expect(tools[0]?.inputSchema.properties).toHaveProperty("limit.maximum", 20);
    await client.close();
  });
});
