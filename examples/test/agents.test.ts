/** The example agents, with a scripted model and without a network. */
import { MockLanguageModelV3 } from "ai/test";
import { Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, it } from "vitest";
import { answer } from "../tools/ai-agent.js";
import { langchainTools } from "../tools/langchain.js";

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
    await expect(find?.invoke({ limit: "many" })).rejects.toThrow();
  });
});
