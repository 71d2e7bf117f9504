/** A list of rooms with several pages. */
import { type Handler, json } from "./recorder.js";
import * as samples from "./samples.js";

export const room = (number: number) => ({ ...samples.room, id: `room_${number}` });

/** A list with pages of these sizes. Each cursor is the number of a page. */
export function pagesOf(sizes: readonly number[]): Handler {
  let total = 0;
  const pages = sizes.map((size, index) => {
    const data = Array.from({ length: size }, () => room(total++));
    return samples.page(data, index + 1 < sizes.length ? `c${index + 1}` : null);
  });
  return ({ query }) => {
    const cursor = query.find(([name]) => name === "cursor")?.[1] ?? "c0";
    return json(pages[Number(cursor.slice(1))]!);
  };
}

export async function collect<T>(walk: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of walk) items.push(item);
  return items;
}

/** The items of an iteration before the error that ends it, and that error. */
export async function collectUntilError<T>(walk: AsyncIterable<T>): Promise<{ items: T[]; error: unknown }> {
  const items: T[] = [];
  try {
    for await (const item of walk) items.push(item);
    return { items, error: undefined };
  } catch (error) {
    return { items, error };
  }
}
