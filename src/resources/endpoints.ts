/** The list of all endpoints: for the emulator, the OpenAPI document, the tables of the guides, and the tests. */
import type { Endpoint } from "../transport/endpoint.js";
import * as documents from "./documents.js";
import * as meetingList from "./list-meetings.js";
import * as meetings from "./meetings.js";
import * as permissions from "./permissions.js";
import * as rooms from "./rooms.js";
import * as settings from "./settings.js";
import * as webhooks from "./webhooks.js";

const RESOURCES = [meetings, meetingList, rooms, documents, permissions, webhooks, settings] as const;

type ValuesOf<Module> = Module extends unknown ? Module[keyof Module] : never;
type Exports = ValuesOf<(typeof RESOURCES)[number]>;

/** An endpoint of the service. */
export type KnownEndpoint = Extract<Exports, Endpoint>;

const isEndpoint = (value: Exports): value is KnownEndpoint => "route" in value;

export const ENDPOINTS: readonly KnownEndpoint[] = RESOURCES.flatMap((module): Exports[] =>
  Object.values(module),
).filter(isEndpoint);
