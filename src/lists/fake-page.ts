import { expectedType } from "../checks/format-issues.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { CursorHistory } from "./cursor-history.js";
import { Page, type PagePosition, PagePromise } from "./page.js";

/**
 * Makes a list with these items on one page, for fakes of list methods. The list can be awaited, and read with `for
 * await`. `fields` are further fields of the page, such as `share_url`.
 * @example
 * const notetaker = { rooms: { list: () => fakePage([{ id: "room_1", title: "Design" }]) } };
 */
export function fakePage<T, Fields extends object = object>(
  items: readonly T[],
  fields?: Fields,
): PagePromise<T, Page<T> & Fields> {
  if (!Array.isArray(items)) {
    throw new InvalidArgumentError({
      operation: "fakePage",
      issues: [{ path: "items", code: "wrong_type", message: expectedType("array", items) }],
    });
  }
  const position: PagePosition<T> = {
    operation: "fakePage",
    cursor: undefined,
    history: new CursorHistory(),
    emptyPages: 0,
    attempts: 0,
    invalid: [],
    listOptions: {},
    fetch: () => fakePage<T>([]),
  };
  const envelope = { ...fields, data: [...items], next_cursor: null, has_more: false };
  const respond = async () => ({
    data: new Page<T>(envelope, position) as Page<T> & Fields,
    response: new Response(JSON.stringify(envelope), { headers: { "content-type": "application/json" } }),
    rateLimit: undefined,
  });
  return new PagePromise<T, Page<T> & Fields>(respond(), { options: {}, rowsBefore: [] });
}
