/** An agent that answers questions about meetings, with the `ai` package and any of its models. */
import { generateText, jsonSchema, type LanguageModel, stepCountIs, type ToolSet, tool } from "ai";
import type { Notetaker } from "notetaker-sdk";
import { tools } from "notetaker-sdk/tools";

export async function answer(model: LanguageModel, notetaker: Notetaker, question: string): Promise<string> {
  const toolSet: ToolSet = {};
  for (const { name, description, jsonSchema: schema, execute } of tools(notetaker)) {
    toolSet[name] = tool({
      description,
      inputSchema: jsonSchema(schema),
      execute: (input, { abortSignal }) => execute(input, { signal: abortSignal }),
    });
  }
  const { text } = await generateText({ model, tools: toolSet, prompt: question, stopWhen: stepCountIs(8) });
  return text;
}
