/** Reads one item of a list by its id, for resources that have no endpoint for a single item. */
import * as z from "zod/mini";
import type { WireNames } from "../assumptions.js";
import { NotFoundError } from "../errors/api-error.js";
import { isRecord } from "../json/is-record.js";
import { type IdKind, idProblem } from "../schemas/ids.js";
import type { Schema } from "../schemas/primitives.js";
import type { ApiPromise } from "../transport/api-promise.js";
import { withSchema } from "../transport/operation.js";
import type { RequestOptions } from "../transport/request-options.js";
import type { Transport } from "../transport/transport.js";

interface GetOperation<T, Params> {
  /** The method of this library, for example `rooms.get`. */
  readonly operation: string;
  /** The path of the list. */
  readonly path: string;
  /** The group of wire names for the list's parameters (`src/assumptions.ts`). */
  readonly names: keyof WireNames;
  readonly idKind: IdKind;
  readonly id: string;
  readonly params: Params;
  readonly paramsSchema: Schema<Params>;
  /** Returns the schema of the item. It is called with valid parameters only. */
  readonly row: (params: Params) => z.core.$ZodType<T>;
}

/**
 * Requests the list with a filter for one id, and compares the ids: a service that ignores the filter returns other
 * items.
 */
export function getById<T, Params extends object>(
  transport: Transport,
  { operation, path, names, idKind, id, params, paramsSchema, row }: GetOperation<T, Params>,
  options: RequestOptions | undefined,
): ApiPromise<T> {
  const checked = z.safeParse(paramsSchema, params);
  const query = paramsSchema.check((payload) => {
    if (isRecord(payload.value)) payload.value = { ...payload.value, ids: [id] };
  });
  return transport.send(
    {
      operation,
      method: "GET",
      path(issues) {
        const message = idProblem(idKind, id);
        if (message !== undefined) issues.push({ path: idKind, message });
        return path;
      },
      query: withSchema(query, params),
      names,
      response: row(checked.success ? checked.data : ({} as Params)),
      selectData: (page) => itemOf(page, id, operation),
      retry: "repeatable",
    },
    options,
  );
}

/** The item with this id. A body that is not a page is returned unchanged: the schema of the item refuses it. */
function itemOf(page: unknown, id: string, operation: string): unknown {
  if (!isRecord(page) || !Array.isArray(page.data)) return page;
  const item = page.data.find((row) => isRecord(row) && row.id === id);
  if (item === undefined) throw new NotFoundError(`${operation}: the list has no ${id}`);
  return item;
}
