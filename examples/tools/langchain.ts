/** The tools for LangChain: pass them to `createAgent`, or bind them to a model. */
import { DynamicStructuredTool } from "@langchain/core/tools";
import type { Notetaker } from "notetaker-sdk";
import { tools } from "notetaker-sdk/tools";

export const langchainTools = (notetaker: Notetaker) =>
  tools(notetaker).map(
    ({ name, description, inputSchema, execute }) =>
      new DynamicStructuredTool({
        name,
        description,
        // Unlike `jsonSchema`, it takes the `null`, `""` and `"5"` that models send.
        schema: inputSchema,
        func: async (input, _manager, config) => JSON.stringify(await execute(input, { signal: config?.signal })),
      }),
  );
