/** What a tool for a language model is. */
import type * as z from "zod/mini";
import type { NotetakerLike } from "../notetaker-like.js";

/** Plain JSON. */
export type ToolResult = Readonly<Record<string, unknown>>;

/** Options of a tool's `execute`. */
export interface ExecuteOptions {
  /** Aborts the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** One operation as a tool: for the `ai` package, LangChain and servers of the Model Context Protocol. */
export interface Tool {
  /** For example `find_meetings`. */
  readonly name: string;
  /** What it does, its units and limits, and what comes back. */
  readonly description: string;
  /** The schema of the input, for libraries that take zod or a Standard Schema. */
  readonly inputSchema: z.ZodMiniType;
  /** The same as JSON Schema, for libraries that take JSON Schema. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  /**
   * Resolves to plain JSON. A failure is also a result: `{ error: { name, message } }`, without a stack or a secret.
   * The promise rejects only if the signal aborts, with the signal's reason.
   */
  execute(input: unknown, options?: ExecuteOptions): Promise<ToolResult>;
}

/** How one tool is made. */
export interface ToolDefinition<S extends z.ZodMiniType = z.ZodMiniType> {
  readonly name: string;
  readonly description: string;
  /** Built when the tools are, so that importing them does nothing. */
  inputSchema(): S;
  /** As a method, so that definitions of different inputs fit into one list: each gets what its own schema returns. */
  run(notetaker: NotetakerLike, input: z.output<S>, options: ExecuteOptions): Promise<ToolResult>;
}

/** `definition`, with the type of its input taken from its schema. */
export const defineTool = <S extends z.ZodMiniType>(definition: ToolDefinition<S>): ToolDefinition =>
  definition as unknown as ToolDefinition;
