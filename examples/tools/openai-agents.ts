/** The tools for the OpenAI agents package: pass them to `new Agent({ tools })`. */
import { type FunctionTool, tool } from "@openai/agents";
import type { Notetaker } from "notetaker-sdk";
import { tools } from "notetaker-sdk/tools";

export const openaiTools = (notetaker: Notetaker): FunctionTool[] =>
  tools(notetaker).map(({ name, description, annotations, jsonSchema, execute }) =>
    tool({
      name,
      description,
      // Optional fields are optional: not the strict form, in which a model must send every field.
      strict: false,
      parameters: { ...jsonSchema, additionalProperties: true } as never,
      needsApproval: !annotations.readOnlyHint,
      execute: async (input) => JSON.stringify(await execute(input)),
    }),
  ) as FunctionTool[];
