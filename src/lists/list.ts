/** Sends the requests of a list: for its first page, and for each page after it. */
import { addCallFacts, NotetakerError } from "../errors/notetaker-error.js";
import { isRecord } from "../json/is-record.js";
import { withChanges } from "../json/with-changes.js";
import type { PageParams, PageSchema, ReceivedPage } from "../schemas/page.js";
import { type InvalidRow, type SplitPage, splitPageSchema, validRowsBefore } from "../schemas/page-rows.js";
import type { ApiResponse } from "../transport/api-promise.js";
import { type Logger, notify } from "../transport/logger.js";
import { checkData, type Operation, schemaOf } from "../transport/operation.js";
import { NO_OPTIONS } from "../transport/request-options.js";
import type { Transport } from "../transport/transport.js";
import { CursorHistory } from "./cursor-history.js";
import { type ListOptions, listOptionsSchema } from "./list-options.js";
import { type Beginning, Page, type PagePosition, PagePromise } from "./page.js";

/** A call of a list. Its `response` is the schema of a row. */
export interface ListOperation<Params> extends Operation<unknown> {
  readonly params: Params;
  readonly page: PageSchema;
}

interface PageRequest {
  readonly cursor: string | undefined;
  readonly history: CursorHistory;
  readonly emptyPages: number;
  readonly attempts: number;
  /** The options of this request: those of the list, overridden by those of `nextPage`. */
  readonly options: ListOptions;
}

/** Requests the first page of a list. Each page can request the page after it. */
export function list<T, P extends Page<T>, Params extends object>(
  transport: Transport,
  called: ListOperation<Params>,
  listOptions: ListOptions = NO_OPTIONS,
): PagePromise<T, P> {
  // A copy: the caller may have changed the parameters when a walk requests its next page.
  const operation = isRecord(called.params) ? { ...called, params: { ...called.params } } : called;
  const fetchPage = (request: PageRequest): PagePromise<T, P> => {
    const options = isRecord(request.options) ? request.options : {};
    const reading: RequestedPage<T> = { options, rowsBefore: [], attempts: 0 };
    return new PagePromise(requestPage(request, reading), reading);
  };

  const requestPage = async (request: PageRequest, reading: RequestedPage<T>): Promise<ApiResponse<P>> => {
    const { cursor, options } = request;
    try {
      const received = await transport.call(pageOperation(operation, request, reading), options);
      const { envelope, invalid } = separateInvalid<T>(received.data, options, transport.config.logger);
      const history = cursor === undefined ? request.history : request.history.followedBy(cursor);
      const attempts = request.attempts + reading.attempts;
      const position: PagePosition<T, P> = {
        operation: operation.name,
        cursor,
        history,
        emptyPages: request.emptyPages,
        attempts,
        invalid,
        listOptions,
        fetch: (next) => {
          const options = isRecord(next.options) ? withChanges(listOptions, next.options) : next.options;
          return fetchPage({ ...next, history, attempts, options });
        },
      };
      return { ...received, data: new Page<T>(envelope, position as PagePosition<T>) as P };
    } catch (error) {
      // A walk that is continued from this cursor begins with the page that failed.
      if (error instanceof NotetakerError && cursor !== undefined) addCallFacts(error, { cursor });
      throw error;
    }
  };

  return fetchPage({
    cursor: (operation.params as PageParams | undefined)?.cursor,
    history: new CursorHistory(),
    emptyPages: 0,
    attempts: 0,
    options: listOptions,
  });
}

interface RequestedPage<T> extends Beginning<T> {
  attempts: number;
}

function pageOperation<T, Params extends object>(
  operation: ListOperation<Params>,
  { cursor, options }: PageRequest,
  reading: RequestedPage<T>,
): Operation<unknown> {
  const { params, response, page } = operation;
  return {
    ...operation,
    params: cursor === undefined ? params : { ...params, cursor },
    read(body, context) {
      const row = schemaOf(response, context.params);
      reading.attempts = context.attempts;
      const result = checkData(leavesRowsOut(options) ? splitPageSchema(row, page) : page(row), body, context);
      if (result.issues !== undefined) reading.rowsBefore = validRowsBefore(row, body) as T[];
      return result;
    },
    options: listOptionsSchema,
  };
}

/** The options have not been checked yet, and may be of any type. */
const leavesRowsOut = (options: ListOptions | null) => (options?.onInvalid ?? "throw") !== "throw";

/** Separates a page from its invalid rows. Without validation, the response may have any shape. */
function separateInvalid<T>(
  data: unknown,
  options: ListOptions,
  logger: Logger | undefined,
): { envelope: ReceivedPage<T>; invalid: InvalidRow[] } {
  if (!leavesRowsOut(options) || !isRecord(data) || !Array.isArray(data.invalid)) {
    return { envelope: data as ReceivedPage<T>, invalid: [] };
  }
  const { invalid, ...envelope } = data as unknown as SplitPage<T>;
  const { onInvalid } = options;
  if (typeof onInvalid === "function") for (const row of invalid) notify("onInvalid", onInvalid, row, logger);
  return { envelope, invalid };
}
