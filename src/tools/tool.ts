/** The types of a tool for a language model. */
import type * as z from "zod/mini";
import type { NotetakerLike } from "../notetaker-like.js";
import type { Page } from "../transport/page.js";

/** Plain JSON. */
export type ToolResult = Readonly<Record<string, unknown>>;

/** Options of a tool's `execute`. */
export interface ExecuteOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** One operation as a tool: for the `ai` package, LangChain and servers of the Model Context Protocol. */
export interface Tool {
  /** For example `find_meetings`. */
  readonly name: string;
  /** What the tool does, its units and limits, and what it returns. */
  readonly description: string;
  /** The schema of the input, for libraries that accept zod or a Standard Schema. */
  readonly inputSchema: z.ZodMiniType;
  /** The same schema as JSON Schema. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  /**
   * Resolves to plain JSON. A failure is also a result: `{ error: { name, message } }`, without a stack or a secret.
   * The promise rejects only if the signal aborts, with the signal's reason.
   */
  execute: (input: unknown, options?: ExecuteOptions) => Promise<ToolResult>;
}

/** The definition of one tool. */
export interface ToolDefinition<S extends z.ZodMiniType = z.ZodMiniType> {
  readonly name: string;
  readonly description: string;
  /** Called when `tools` is called, so that importing this module builds no schema. */
  inputSchema(): S;
  /** A method rather than a function property, so that definitions with different inputs fit into one list. */
  run(notetaker: NotetakerLike, input: z.output<S>, options: ExecuteOptions): Promise<ToolResult>;
}

/** Returns `definition`; its input has the type of its schema. */
export const defineTool = <S extends z.ZodMiniType>(definition: ToolDefinition<S>): ToolDefinition =>
  definition as unknown as ToolDefinition;

/** An item that a result lacks, so that a model does not take the result for complete. */
export interface LeftOut {
  readonly id?: string | undefined;
  readonly reason: string;
}

/** The member `left_out` of a result, if something is missing from it. */
export const withLeftOut = (items: readonly LeftOut[]): { left_out?: readonly LeftOut[] } =>
  items.length === 0 ? {} : { left_out: items };

/**
 * One page of a list as a result: its items under `name`, those that could not be read, and the cursor of the next
 * page. The reasons name fields, never their values.
 */
export const pageResult = <T>(
  name: string,
  { data, invalid = [], has_more, next_cursor }: Page<T>,
  facts: (item: T) => object,
): ToolResult => ({
  [name]: data.map(facts),
  ...withLeftOut(
    invalid.map(({ id, issues }) => ({
      ...(id === undefined ? {} : { id }),
      reason: `the service sent it in an unexpected form (${issues.map(({ path }) => path || "the whole").join(", ")})`,
    })),
  ),
  next_cursor: has_more ? next_cursor : null,
});
