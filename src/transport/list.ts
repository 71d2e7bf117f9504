/** Sends the requests of a list: for its first page, and for each page after it. */
import * as z from "zod/mini";
import type { WireNames } from "../assumptions.js";
import { addCallFacts, NotetakerError } from "../errors/notetaker-error.js";
import { isRecord } from "../json/is-record.js";
import type { PageParams, ReceivedPage } from "../schemas/page.js";
import { type InvalidRow, plainPage, type SplitPage, splitPageSchema, validRowsBefore } from "../schemas/page-rows.js";
import type { ApiResponse } from "./api-promise.js";
import { CursorHistory } from "./cursor-history.js";
import { type ListOptions, listOptionsSchema } from "./list-options.js";
import { type Operation, withSchema } from "./operation.js";
import { Page, type PagePosition, PagePromise } from "./page.js";
import type { Path } from "./path.js";
import { keepRowsBefore } from "./rows-before.js";
import type { Transport } from "./transport.js";

type PageSchema = z.ZodMiniType<ReceivedPage<unknown>>;

/** A list, as a resource method describes it. */
export interface ListOperation<Params extends PageParams> {
  /** The method of this library, for example `rooms.list`. */
  readonly operation: string;
  readonly path: Path;
  readonly params: Params;
  readonly paramsSchema: z.core.$ZodType<Params>;
  /** The group of wire names for the parameters (`src/assumptions.ts`). */
  readonly names: keyof WireNames;
  /** Returns the schema of a row. It is called with valid parameters only. */
  readonly row: (params: Params) => z.core.$ZodType;
  /** A token that is sent in place of the client's. */
  readonly token?: string | undefined;
  /** Makes the schema of a page from that of a row. Default: the page envelope without further fields. */
  readonly page?: (row: z.core.$ZodType<unknown>) => PageSchema;
}

/** What the request for one page needs. */
interface PageRequest {
  /** `undefined` for the first page of the list. */
  readonly cursor: string | undefined;
  /** The cursors that led to the previous page. */
  readonly history: CursorHistory;
  readonly emptyPages: number;
  /** The options of the list. */
  readonly listOptions: ListOptions;
  /** The options of this request: those of the list, overridden by those of `nextPage`. */
  readonly options: ListOptions;
}

/** Requests the first page of a list. Each page can request the page after it. */
export function list<T, P extends Page<T>, Params extends PageParams>(
  transport: Transport,
  operation: ListOperation<Params>,
  options: ListOptions = {},
): PagePromise<T, P> {
  const { data: params, success } = z.safeParse(operation.paramsSchema, operation.params);
  // The transport refuses invalid parameters, and reports them together with all other issues of the call.
  const row = success ? operation.row(params) : z.unknown();

  const fetchPage = (request: PageRequest): PagePromise<T, P> =>
    new PagePromise(
      requestPage<T, P, Params>(transport, operation, row, request, fetchPage),
      isRecord(request.options) ? request.options : {},
    );

  return fetchPage({
    cursor: params?.cursor,
    history: new CursorHistory(),
    emptyPages: 0,
    listOptions: options,
    options,
  });
}

async function requestPage<T, P extends Page<T>, Params extends PageParams>(
  transport: Transport,
  operation: ListOperation<Params>,
  row: z.core.$ZodType,
  request: PageRequest,
  fetchPage: (request: PageRequest) => PagePromise<T, P>,
): Promise<ApiResponse<P>> {
  const { cursor, options } = request;
  try {
    const received = await transport.call(pageOperation(operation, row, request), options);
    const { envelope, invalid } = separateInvalid<T>(received.data, options);
    const position = positionAfter(request, operation.operation, invalid, fetchPage);
    return { ...received, data: new Page<T>(envelope, position as PagePosition<T>) as P };
  } catch (error) {
    // A walk that is continued from this cursor begins with the page that failed.
    if (error instanceof NotetakerError && cursor !== undefined) addCallFacts(error, { cursor });
    throw error;
  }
}

/** The request for one page. */
function pageOperation<Params extends PageParams>(
  operation: ListOperation<Params>,
  row: z.core.$ZodType,
  { cursor, options }: PageRequest,
): Operation<unknown> {
  const { params, paramsSchema, page = plainPage } = operation;
  return {
    ...operation,
    method: "GET",
    query: withSchema(paramsSchema, cursor === undefined ? params : { ...params, cursor }),
    response: leavesRowsOut(options) ? splitPageSchema(row, page) : page(row),
    onMismatch: (error, data) => keepRowsBefore(error, validRowsBefore(row, data)),
    options: listOptionsSchema,
    retry: "repeatable",
  };
}

/** The options have not been checked yet, and may be of any type. */
const leavesRowsOut = (options: ListOptions | null) => (options?.onInvalid ?? "throw") !== "throw";

/** Separates a page from its invalid rows. Without validation, the response may have any shape. */
function separateInvalid<T>(data: unknown, options: ListOptions): { envelope: ReceivedPage<T>; invalid: InvalidRow[] } {
  if (!leavesRowsOut(options) || !isRecord(data) || !Array.isArray(data.invalid)) {
    return { envelope: data as ReceivedPage<T>, invalid: [] };
  }
  const { invalid, ...envelope } = data as unknown as SplitPage<T>;
  const { onInvalid } = options;
  if (typeof onInvalid === "function") for (const row of invalid) onInvalid(row);
  return { envelope, invalid };
}

/** The position of a page that was received. */
function positionAfter<T, P extends Page<T>>(
  request: PageRequest,
  operation: string,
  invalid: readonly InvalidRow[],
  fetchPage: (request: PageRequest) => PagePromise<T, P>,
): PagePosition<T, P> {
  const { cursor, listOptions } = request;
  const history = cursor === undefined ? request.history : request.history.followedBy(cursor);
  return {
    ...request,
    history,
    operation,
    invalid,
    fetch: (next) => fetchPage({ ...next, history, listOptions, options: { ...listOptions, ...next.options } }),
  };
}
