import type { Notetaker } from "notetaker-sdk";
import { type Tool, tools } from "notetaker-sdk/tools";

/** The tool with this name, which may be one that writes. */
export function toolOf(notetaker: Notetaker, name: string): Tool {
  const [tool] = tools(notetaker, { only: [name], write: true });
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}
