/** The controls as HTTP endpoints, such as `POST /_emulator/clock`, for tests in another process or language. */
import * as z from "zod/mini";
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import { EVENT_KINDS } from "../../schemas/event.js";
import { enumOf, nonEmptyString } from "../../schemas/primitives.js";
import type { DeliveryPlan } from "../deliveries/delivery-queue.js";
import { checkValue, EmulatorError, emulatorMilliseconds } from "../emulator-error.js";
import { json, refusal, type ServiceResponse, toResponse } from "../http/exchange.js";
import type { RecordedRequest } from "../http/requests.js";
import type { AccountControls } from "./account.js";
import type { FaultInput } from "./faults.js";

const CONTROL_PATH = "/_emulator/";

export const isControl = ({ url }: Request) => new URL(url).pathname.startsWith(CONTROL_PATH);

/** The targets of the endpoints: the account of the request's token, and the emulator. */
export interface ControlTarget {
  account: AccountControls;
  reset: () => void;
}

/** The clock also accepts the number alone. */
const advanceSchema = z.strictObject({ advance: emulatorMilliseconds });
const eventSchema = z.strictObject({ kind: enumOf(EVENT_KINDS), meetingId: nonEmptyString() });

type ControlEndpoint = (target: ControlTarget, body: unknown, id: string) => unknown;

const step =
  (how: "finish" | "fail" | "transcribe" | "summarise" | "delete"): ControlEndpoint =>
  async ({ account: { meetings } }, _, id) => {
    await meetings[how](id);
    return meetings.get(id) ?? { id };
  };

const CONTROL_ENDPOINTS: Readonly<Record<string, ControlEndpoint>> = {
  "POST faults": ({ account }, body) => {
    const { route, fault } = faultIn(body);
    account.faults.next(route, fault);
    return { unused: account.faults.unused() };
  },
  "POST clock": async ({ account }, body) => {
    const { advance } = checked("clock", advanceSchema, typeof body === "number" ? { advance: body } : body);
    await account.clock.advance(advance);
    return { now: account.clock.now() };
  },
  "POST bots/{id}/finish": step("finish"),
  "POST bots/{id}/fail": step("fail"),
  "POST meetings/{id}/transcribe": step("transcribe"),
  "POST meetings/{id}/summarise": step("summarise"),
  "POST meetings/{id}/delete": step("delete"),
  "POST webhooks/next": ({ account }, body) => {
    account.webhooks.next(body as DeliveryPlan);
    return body;
  },
  "POST webhooks/send": async ({ account }, body) => {
    const { kind, meetingId } = checked("webhooks/send", eventSchema, body);
    await account.webhooks.send(kind, meetingId);
    return account.webhooks.deliveries;
  },
  "POST reset": ({ reset, account }) => {
    reset();
    return { now: account.clock.now() };
  },
  "GET requests": ({ account }) => account.requests.map(requestToJson),
  "GET deliveries": ({ account }) => account.webhooks.deliveries,
};

/** Reads `{ "route": "GET /rooms", "fault": { "status": 500 } }`. Fields of `fault` may also be beside the route. */
function faultIn(body: unknown): { route: string; fault: FaultInput } {
  if (isRecord(body) && typeof body.route === "string") {
    const { route, fault, ...fields } = body;
    return { route: body.route, fault: (fault ?? fields) as FaultInput };
  }
  throw new EmulatorError('expected { "route": "GET /rooms", "fault": { "status": 500 } }');
}

function checked<T>(name: string, schema: z.ZodMiniType<T>, body: unknown): T {
  checkValue(name, schema, body);
  return body as T;
}

/** A request as JSON, without its token. A parameter that occurs several times becomes a list. */
function requestToJson({ query, headers, ...request }: RecordedRequest) {
  const { authorization: _, ...shownHeaders } = Object.fromEntries(headers);
  const parameters = [...new Set(query.keys())].map((name) => {
    const values = query.getAll(name);
    return [name, values.length === 1 ? values[0] : values];
  });
  return { ...request, query: Object.fromEntries(parameters), headers: shownHeaders };
}

/** Responds to a request under {@link CONTROL_PATH}; `target` is undefined if the token is not valid. */
export const respondToControl = async (request: Request, target: ControlTarget | undefined): Promise<Response> =>
  toResponse(await answerOf(request, target), false, request.signal);

async function answerOf(request: Request, target: ControlTarget | undefined): Promise<ServiceResponse> {
  if (target === undefined) return refusal(401, "authentication required");
  const { method } = request;
  const { pathname } = new URL(request.url);
  const path = pathname.slice(CONTROL_PATH.length);
  const [, id = ""] = /^(?:bots|meetings)\/([^/]+)\//.exec(path) ?? [];
  const endpoint = CONTROL_ENDPOINTS[`${method} ${path.replace(/^(bots|meetings)\/[^/]+/, "$1/{id}")}`];
  if (endpoint === undefined) {
    const known = Object.keys(CONTROL_ENDPOINTS).map((name) => name.replace(" ", ` ${CONTROL_PATH}`));
    return refusal(404, `no control ${method} ${pathname}; expected one of ${known.join(", ")}`);
  }
  try {
    return json(await endpoint(target, parseJson(await request.text()), decodeURIComponent(id)));
  } catch (error) {
    if (error instanceof EmulatorError || error instanceof TypeError || error instanceof URIError) {
      return refusal(400, error.message);
    }
    throw error;
  }
}
