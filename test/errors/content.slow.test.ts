/**
 * Personal content of a response does not appear in errors, which go into logs, whatever is wrong with the response.
 */
import { inspect } from "node:util";
import fc from "fast-check";
import { NotetakerError } from "notetaker-sdk";
import { expect, it } from "vitest";
import { CALLS } from "../support/calls.js";
import { clientOf, json, rejection } from "../support/recorder.js";

const PRIVATE = "private matter";

/** The path of each value inside a JSON value. */
function pathsOf(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  const inner =
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, field]) => pathsOf(field, [...path, key]))
      : [];
  return [[...path], ...inner];
}

function withOdd(value: unknown, path: readonly (string | number)[], odd: unknown): unknown {
  if (path.length === 0) return odd;
  const [key, ...rest] = path;
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  const field = (copy as Record<string, unknown>)[key as string];
  return Object.assign(copy, { [key as string]: withOdd(field, rest, odd) });
}

function withPrivateText(value: unknown): unknown {
  if (typeof value === "string") return /^[a-z]+_/.test(value) ? value : `${PRIVATE} ${value}`;
  if (Array.isArray(value)) return value.map(withPrivateText);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    name.endsWith("_at") ? field : withPrivateText(field),
  ]);
  return Object.fromEntries(fields);
}

const ODD = [PRIVATE, 1860.5, -1, null, {}, { secret: PRIVATE }, [PRIVATE], [null], true, "mtg", "", "2025-13-45"];

it.each(CALLS.filter(({ answer }) => answer !== undefined))(
  "the error for a wrong field in the response of $operation contains no content of the response",
  async ({ make, answer, status }) => {
    const paths = pathsOf(answer);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fc.constantFrom(...ODD), async (path, odd) => {
        const body = withPrivateText(withOdd(answer, path, odd));
        const { notetaker } = clientOf(() => json(body, status), { maxRetries: 0 });
        const error = await rejection(Promise.resolve(make(notetaker)).then(() => Promise.reject(undefined)));
        if (error === undefined) return;
        expect(error).toBeInstanceOf(NotetakerError);
        for (const text of [JSON.stringify(error), inspect(error, { depth: 10 }), (error as Error).stack]) {
          expect(text).not.toContain(PRIVATE);
        }
      }),
    );
  },
);
