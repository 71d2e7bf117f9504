/** Handles a request: records it, applies a planned fault, and responds. */
import { pause } from "../async/timers.js";
import type { Account } from "./account.js";
import type { AccountControls } from "./controls/account.js";
import { applyFault } from "./controls/apply-fault.js";
import { CONTROL_PATH, respondToControl } from "./controls/control-endpoints.js";
import type { FaultQueue } from "./controls/faults.js";
import { type Incoming, type ServiceResult, toOutgoing } from "./http/exchange.js";
import { type RecordedRequest, recordRequest } from "./http/recorded-request.js";
import { RequestLog } from "./http/request-log.js";
import type { Service } from "./service.js";

interface HandlerParts {
  service: Service;
  accounts: readonly [Account, ...Account[]];
  /** The faults for the requests of all accounts. */
  faults: FaultQueue;
  onRequest: ((request: RecordedRequest) => void) | undefined;
  controlsOf: (account: Account) => AccountControls;
  reset: () => void;
}

export class RequestHandler {
  readonly log = new RequestLog();
  readonly #parts: HandlerParts;
  readonly #accountOf = new WeakMap<RecordedRequest, Account>();

  constructor(parts: HandlerParts) {
    this.#parts = parts;
  }

  /** The requests with a token of the account. */
  requestsOf(account: Account): readonly RecordedRequest[] {
    return this.log.requests.filter((request) => this.#accountOf.get(request) === account);
  }

  async handle(incoming: Incoming, storageUrl: string, control = false): Promise<ServiceResult> {
    const { service, accounts, faults, onRequest } = this.#parts;
    for (const { clock } of accounts) clock.catchUp();
    if (control && incoming.url.pathname.startsWith(CONTROL_PATH)) return this.#control(incoming);
    const { name, path, account, respond } = service.route(incoming, storageUrl);
    const request = recordRequest(incoming, path, name, accounts[0].clock.now());
    this.log.add(request, incoming.headerBytes);
    if (account !== undefined) this.#accountOf.set(request, account);
    const fault = account?.faults.take(name) ?? faults.take(name);
    const response = fault === undefined ? respond() : applyFault(fault, respond);
    if (response !== "drop") request.status = response.status;
    // If the client disconnects, the delay ends early.
    if (fault?.delayMs) await pause(fault.delayMs, incoming.signal).catch(() => {});
    onRequest?.(request);
    return response === "drop" ? response : toOutgoing(response, fault?.kind === "truncate");
  }

  async #control(incoming: Incoming): Promise<ServiceResult> {
    const { service, controlsOf, reset } = this.#parts;
    const account = service.accountOf(incoming.headers);
    const target = account === undefined ? undefined : { account: controlsOf(account), reset };
    return toOutgoing(await respondToControl(incoming, target), false);
  }
}
