/** Reads one item of a list by its id, for resources that have no endpoint for a single item. */
import { NotFoundError } from "../errors/api-error.js";
import { isRecord } from "../json/is-record.js";
import { type IdKind, idProblem } from "../schemas/ids.js";
import type { Schema } from "../schemas/primitives.js";
import type { ApiPromise } from "../transport/api-promise.js";
import type { Operation } from "../transport/operation.js";
import type { RequestOptions } from "../transport/request-options.js";
import type { Transport } from "../transport/transport.js";

/** The list, with one id, and the schema of an item as its `response`. */
interface GetOperation<T, Params> extends Operation<T> {
  readonly ids: { readonly [Kind in IdKind]?: string };
  readonly params: Params;
  readonly query: Schema<Params>;
}

/**
 * Requests the list with a filter for one id, and compares the ids: a service that ignores the filter returns other
 * items.
 */
export function getById<T, Params extends object>(
  transport: Transport,
  operation: GetOperation<T, Params>,
  options: RequestOptions | undefined,
): ApiPromise<T> {
  const [[path, id]] = Object.entries(operation.ids) as [[IdKind, string]];
  const message = idProblem(path, id);
  return transport.send(
    {
      ...operation,
      issues: message === undefined ? [] : [{ path, message }],
      query: operation.query.check((payload) => {
        if (isRecord(payload.value)) payload.value = { ...payload.value, ids: [id] };
      }),
      selectData: (page) => itemOf(page, id, operation.name),
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
