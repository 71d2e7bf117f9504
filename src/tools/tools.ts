import * as z from "zod/mini";
import { throwIfAborted } from "../async/abort.js";
import { expectedType, formatIssues } from "../checks/format-issues.js";
import { unknownName } from "../checks/unknown-name.js";
import { ConfigurationError, InvalidArgumentError } from "../errors/argument-errors.js";
import { checkOptions } from "../errors/check-arguments.js";
import { isErrorLike } from "../errors/error-record.js";
import { NotetakerError } from "../errors/notetaker-error.js";
import { isRecord } from "../json/is-record.js";
import { wellFormedJson } from "../json/well-formed.js";
import type { NotetakerLike } from "../notetaker-like.js";
import { objectWith } from "../schemas/primitives.js";
import type { Archive } from "../sql/search/archive.js";
import { STORED_TOOLS, searchMeetingsTool } from "./archive-tools.js";
import { brief } from "./cut-text.js";
import { READING_TOOLS } from "./reading-tools.js";
import { HINTS, type Tool, type ToolDefinition, type ToolResult } from "./tool.js";
import { WRITING_TOOLS } from "./writing-tools.js";

/** Options of `tools`. */
export interface ToolsOptions {
  /** Whether to include the tools that send, share or change something. Default `false`. */
  readonly write?: boolean | undefined;
  /** The names of the tools to return. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** The stored meetings of the same account (`openArchive`), for the tool `search_meetings`. Default: no such tool. */
  readonly archive?: Archive | undefined;
}

/**
 * The operations of a client, or of an archive (`openArchive`), as tools. Without `write`, they only read. An archive
 * is only read, and has no rooms and no upcoming meetings; it has `search_meetings`. There is no tool for webhooks,
 * because their secret would reach the model. Sharing with anyone is a separate tool, so that `only` can leave it out.
 * @throws {ConfigurationError} for an unknown option, for a name in `only` that is not the
 * name of a tool, or for `write` with an archive
 * @example
 * for (const { name, description, jsonSchema, execute } of tools(notetaker)) {
 *   toolSet[name] = tool({ description, inputSchema: asSchema(jsonSchema), execute: (input) => execute(input) });
 * }
 */
export function tools(source: NotetakerLike | Archive, options: ToolsOptions = {}): Tool[] {
  if (!isRecord(source)) throw new ConfigurationError({ message: `tools: ${expectedType("client", source)}` });
  const schema = z.strictObject({
    write: z.optional(z.boolean()),
    only: z.optional(z.array(z.string())),
    archive: z.optional(objectWith("search")),
  });
  checkOptions("tools", schema, options);
  const { write = false, only } = options;
  const definitions = definitionsFor(source, write, options.archive);
  const names = definitions.map(({ name }) => name);
  for (const name of only ?? []) {
    if (!names.includes(name))
      throw new ConfigurationError({ message: `tools: only: "${name}": ${unknownName(name, names, "tool")}` });
  }
  const wanted = only === undefined ? definitions : definitions.filter(({ name }) => only.includes(name));
  return wanted.map((definition) => createTool(source as NotetakerLike, definition));
}

const isArchive = (source: NotetakerLike | Archive): source is Archive => "search" in source && !("rooms" in source);

function definitionsFor(
  source: NotetakerLike | Archive,
  write: boolean,
  beside: Archive | undefined,
): ToolDefinition[] {
  if (isArchive(source)) {
    if (write) throw new ConfigurationError({ message: "tools: write: an archive is only read" });
    return [...STORED_TOOLS, searchMeetingsTool(source)];
  }
  const searching = beside === undefined ? [] : [searchMeetingsTool(beside)];
  return [...READING_TOOLS, ...searching, ...(write ? WRITING_TOOLS : [])];
}

function createTool(notetaker: NotetakerLike, definition: ToolDefinition): Tool {
  const { name, title, description, effect, isStored = false, inputSchema, run } = definition;
  const schema = inputSchema();
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema);
  return {
    name,
    title,
    description,
    annotations: { ...HINTS[effect], openWorldHint: !isStored },
    inputSchema: schema,
    jsonSchema,
    async execute(input, options) {
      const signal = options?.signal;
      const { data, error } = z.safeParse(schema, input ?? {});
      if (error !== undefined)
        return failedResult(
          new InvalidArgumentError({ operation: name, issues: formatIssues(error.issues, input, schema) }),
        );
      try {
        return plain(await run(notetaker, data, signal === undefined ? {} : { signal }));
      } catch (thrown) {
        throwIfAborted(signal);
        return failedResult(thrown);
      }
    },
  };
}

/** A copy of the result, without values that JSON cannot express and without halves of characters. */
const plain = (result: ToolResult): ToolResult => JSON.parse(wellFormedJson(result)) as ToolResult;

const MAX_TOOL_MESSAGE = 2_000;

/** The message of an error of this library contains no secret. Of any other error, only the name is shown. */
function failedResult(error: unknown): ToolResult {
  const name = isErrorLike(error) ? brief(error.name) : "Error";
  return {
    error: {
      name,
      message: error instanceof NotetakerError ? brief(error.message, MAX_TOOL_MESSAGE) : "the tool failed",
    },
  };
}
