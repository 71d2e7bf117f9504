/** Paths with ids in them: each id is checked, and encoded as one segment. */
import type { Issue } from "../schemas/format-issues.js";
import { type IdKind, idProblem } from "../schemas/ids.js";

/** An id by the name of its kind: `{ meetingId }`. */
type NamedId = { readonly [K in IdKind]?: unknown };

/** A path that is resolved when the call begins, so that a wrong id rejects and never throws. */
export type Path = (issues: Issue[]) => string;

/**
 * A path below the base address.
 *
 * @example
 * path`/meetings/${{ meetingId }}/transcript`
 */
export function path(literals: TemplateStringsArray, ...ids: NamedId[]): Path {
  return (issues) =>
    literals.reduce((text, literal, index) => {
      const [kind, value] = Object.entries(ids[index - 1]!)[0] as [IdKind, unknown];
      const problem = idProblem(kind, value);
      if (problem !== undefined) {
        issues.push({ path: kind, message: problem });
        return text;
      }
      return text + encodeURIComponent(value as string) + literal;
    });
}
