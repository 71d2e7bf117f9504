import type * as z from "zod/mini";
import type { NotetakerLike } from "../notetaker-like.js";

/** Plain JSON. */
export type ToolResult = Readonly<Record<string, unknown>>;

/** Options of a tool's `execute`. */
export interface ExecuteOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What a tool may do, as the Model Context Protocol names it: hosts decide by it when to ask the user. */
export interface ToolAnnotations {
  /** Whether the tool only reads. */
  readonly readOnlyHint: boolean;
  /** Whether the tool may remove or cancel something. */
  readonly destructiveHint: boolean;
  /** Whether a second call with the same input changes nothing. */
  readonly idempotentHint: boolean;
  /** Whether the tool reaches the service: `false` for one that reads an archive. */
  readonly openWorldHint: boolean;
}

/** One operation as a tool: for the `ai` package, LangChain and servers of the Model Context Protocol. */
export interface Tool {
  /** For example `find_meetings`. */
  readonly name: string;
  /** The name for people, for example `Find meetings`. */
  readonly title: string;
  /** What the tool does, its units and limits, and what it returns. */
  readonly description: string;
  /** Whether the tool reads, removes, or can be repeated. */
  readonly annotations: ToolAnnotations;
  /** The schema of the input, for libraries that accept zod or a Standard Schema. */
  readonly inputSchema: z.ZodMiniType;
  /** The same schema as JSON Schema. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  /**
   * Resolves to plain JSON of at most 20,000 characters. A failure is also a result: `{ error: { name, message } }`,
   * without a stack or a secret. The promise rejects only if the signal aborts, with the signal's reason.
   */
  execute: (input: unknown, options?: ExecuteOptions | null) => Promise<ToolResult>;
}

/** What a tool does to the account, from which its annotations follow. */
type Effect = "reads" | "adds" | "repeatable" | "cancels";

const hints = (readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean) => ({
  ...{ readOnlyHint, destructiveHint, idempotentHint },
});

export const HINTS: Readonly<Record<Effect, Omit<ToolAnnotations, "openWorldHint">>> = /* @__PURE__ */ {
  reads: hints(true, false, true),
  adds: hints(false, false, false),
  repeatable: hints(false, false, true),
  cancels: hints(false, true, true),
};

export interface ToolDefinition<S extends z.ZodMiniType = z.ZodMiniType> {
  readonly name: string;
  readonly title: string;
  readonly effect: Effect;
  /** Whether it reads an archive. */
  readonly isStored?: true;
  readonly description: string;
  /** Called when `tools` is called, so that importing this module builds no schema. */
  inputSchema(): S;
  /** A method rather than a function property, so that definitions with different inputs fit into one list. */
  run(notetaker: NotetakerLike, input: z.output<S>, options: ExecuteOptions): Promise<ToolResult>;
}

/** `definition`, whose input has the type of its schema. */
export const defineTool = <S extends z.ZodMiniType>(definition: ToolDefinition<S>): ToolDefinition =>
  definition as unknown as ToolDefinition;
