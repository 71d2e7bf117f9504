/** The controls as HTTP endpoints, such as `POST /_emulator/clock`, for tests in another process or language. */
import type { KnownEventKind } from "../../schemas/event.js";
import type { DeliveryPlan } from "../deliveries/delivery-queue.js";
import { EmulatorError } from "../emulator-error.js";
import { jsonResponse, parsedBody, type ServiceResponse, toResponse } from "../http/exchange.js";
import type { Fault } from "../http/fault.js";
import { refusal } from "../http/refusals.js";
import type { RecordedRequest } from "../http/requests.js";
import type { AccountControls } from "./account.js";
import type { FaultInput } from "./faults.js";

const CONTROL_PATH = "/_emulator/";

export const isControl = ({ url }: Request) => new URL(url).pathname.startsWith(CONTROL_PATH);

export interface ControlTarget {
  account: AccountControls;
  revokeToken: (replacement?: string) => void;
  reset: () => void;
}

type ControlEndpoint = (target: ControlTarget, body: unknown, id: string) => unknown;

/** An endpoint that passes the fields of its body on. The controls check them: a body may be any JSON. */
const withBody =
  <T>(respond: (target: ControlTarget, body: T) => unknown): ControlEndpoint =>
  (target, body) =>
    respond(target, (body ?? {}) as T);

const afterStep =
  (step: "finish" | "fail"): ControlEndpoint =>
  async ({ account: { meetings } }, _, id) => {
    await meetings[step](id);
    return meetings.get(id) ?? { id };
  };

const CONTROL_ENDPOINTS: Readonly<Record<string, ControlEndpoint>> = {
  // The fields of a fault may also be beside its route.
  "POST faults": withBody<Fault & { route: string; fault?: FaultInput }>(
    ({ account: { faults } }, { route, fault, ...fields }) => {
      faults.next(route, fault ?? fields);
      return { unused: faults.unused() };
    },
  ),
  "DELETE faults": ({ account: { faults } }) => {
    const unused = faults.unused();
    faults.clear();
    return { unused };
  },
  // The clock also accepts the number alone.
  "POST clock": withBody<number | { advance: number }>(async ({ account: { clock } }, body) => {
    await clock.advance(typeof body === "number" ? body : body.advance);
    return { now: clock.now() };
  }),
  "POST bots/{id}/finish": afterStep("finish"),
  "POST bots/{id}/fail": afterStep("fail"),
  "POST webhooks/next": withBody<DeliveryPlan>(({ account: { webhooks } }, body) => {
    webhooks.next(body);
    return body;
  }),
  "POST webhooks/send": withBody<{ kind: KnownEventKind; meetingId: string }>(
    async ({ account: { webhooks } }, { kind, meetingId }) => {
      await webhooks.send(kind, meetingId);
      return webhooks.deliveries;
    },
  ),
  "POST token/revoke": withBody<{ replacement?: string }>(({ account, revokeToken }, { replacement }) => {
    revokeToken(replacement);
    return { token: account.token };
  }),
  "POST reset": ({ reset, account: { clock } }) => {
    reset();
    return { now: clock.now() };
  },
  "GET requests": ({ account }) => account.requests.map(requestToJson),
  "GET deliveries": ({ account }) => account.webhooks.deliveries,
};

function requestToJson({ query, headers, ...request }: RecordedRequest) {
  const { authorization: _, ...shownHeaders } = Object.fromEntries(headers);
  const parameters = [...new Set(query.keys())].map((name) => {
    const values = query.getAll(name);
    return [name, values.length === 1 ? values[0] : values];
  });
  return { ...request, query: Object.fromEntries(parameters), headers: shownHeaders };
}

/** Responds to a request under {@link CONTROL_PATH}; `target` is undefined if no account has or had the token. */
export const respondToControl = async (request: Request, target: ControlTarget | undefined): Promise<Response> =>
  toResponse(await answerOf(request, target), false, request.signal);

async function answerOf(request: Request, target: ControlTarget | undefined): Promise<ServiceResponse> {
  if (target === undefined) return refusal(401, "authentication required");
  const { method } = request;
  const { pathname } = new URL(request.url);
  const path = pathname.slice(CONTROL_PATH.length);
  const [, id = ""] = /^bots\/([^/]+)\//.exec(path) ?? [];
  const endpoint = CONTROL_ENDPOINTS[`${method} ${path.replace(/^bots\/[^/]+/, "bots/{id}")}`];
  if (endpoint === undefined) {
    const known = Object.keys(CONTROL_ENDPOINTS).map((name) => name.replace(" ", ` ${CONTROL_PATH}`));
    return refusal(404, `no control ${method} ${pathname}; expected one of ${known.join(", ")}`);
  }
  try {
    const body = parsedBody(new Uint8Array(await request.arrayBuffer()));
    return jsonResponse(await endpoint(target, body, decodeURIComponent(id)));
  } catch (error) {
    if (error instanceof EmulatorError || error instanceof URIError) return refusal(400, error.message);
    throw error;
  }
}
