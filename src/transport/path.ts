/** Paths with ids in them: each id is checked, and encoded as one segment. */
import type { Issue } from "../schemas/format-issues.js";
import { type IdKind, idProblem } from "../schemas/ids.js";

/** An id by the name of its kind: `{ meetingId }`. */
type NamedId = { readonly [K in IdKind]?: unknown };

/** A path that is resolved when the call begins, so that an invalid id rejects the call and never throws. */
export interface Path {
  (issues: Issue[]): string;
  /** The path with the names of its ids, for example `/meetings/{meetingId}/transcript`. */
  readonly template?: string;
}

/**
 * A path relative to the base URL.
 *
 * @example
 * path`/meetings/${{ meetingId }}/transcript`
 */
export function path(literals: TemplateStringsArray, ...ids: NamedId[]): Path {
  const kinds = ids.map((id) => Object.keys(id)[0] as IdKind);
  const resolve = (issues: Issue[]) => {
    let text = literals[0] ?? "";
    for (const [index, kind] of kinds.entries()) {
      const value = ids[index]?.[kind];
      const problem = idProblem(kind, value);
      if (problem !== undefined) issues.push({ path: kind, message: problem });
      else text += encodeURIComponent(value as string);
      text += literals[index + 1] ?? "";
    }
    return text;
  };
  const template = literals.reduce((text, literal, index) => `${text}{${kinds[index - 1]}}${literal}`);
  return Object.assign(resolve, { template });
}
