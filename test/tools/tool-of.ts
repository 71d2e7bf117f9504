import type { Notetaker } from "notetaker-sdk";
import { type Tool, tools } from "notetaker-sdk/tools";
import { expect } from "vitest";

/** The tool with this name, which may be one that writes. */
export function toolOf(notetaker: Notetaker, name: string): Tool {
  const [tool] = tools(notetaker, { only: [name], write: true });
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

/** The results of a tool until its cursor ends. Each has at most `max` characters as JSON. */
export async function allResults(notetaker: Notetaker, name: string, input: object, max = 20_000) {
  const results: Record<string, unknown>[] = [];
  for (let cursor: unknown; cursor !== null; ) {
    const result = await toolOf(notetaker, name).execute({ ...input, ...(cursor ? { cursor } : {}) });
    expect(result).not.toHaveProperty("error");
    expect(JSON.stringify(result).length, name).toBeLessThanOrEqual(max);
    results.push(result);
    cursor = ((result.document ?? result) as { next_cursor?: string | null }).next_cursor ?? null;
  }
  return results;
}
