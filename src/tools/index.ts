/**
 * `notetaker-sdk/tools`: the operations of the service as tools for language models.
 * @module notetaker-sdk/tools
 */

export type { ExecuteOptions, Tool, ToolAnnotations, ToolResult } from "./tool.js";
export { type ToolsOptions, tools } from "./tools.js";
