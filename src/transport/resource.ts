import { hiddenField } from "./hidden-field.js";
import type { Transport } from "./transport.js";

const transports = /* @__PURE__ */ hiddenField<Transport>("transport");

/** The transport of a resource. It is not shown in the resource's type. */
export const transportOf = (resource: object): Transport => transports.get(resource);

/** The base of `notetaker.rooms` and the other resources, whose methods send requests with one transport. */
export class Resource {
  /** @internal Only the client creates its resources. */
  constructor(transport: Transport) {
    transports.set(this, transport);
  }
}
