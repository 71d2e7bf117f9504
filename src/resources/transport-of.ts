/** Stores the transport of a resource, without showing it in the resource's type. */
import { hiddenField } from "../transport/hidden-field.js";
import type { Transport } from "../transport/transport.js";

const transports = /* @__PURE__ */ hiddenField<Transport>("transport");

export const setTransport = (resource: object, transport: Transport): void => transports.set(resource, transport);

export const transportOf = (resource: object): Transport => transports.get(resource);
