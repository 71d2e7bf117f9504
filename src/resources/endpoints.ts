/** The list of all endpoints: for the emulator, the OpenAPI document, the tables of the guides, and the tests. */
import type { Endpoint } from "../transport/endpoint.js";
import * as documents from "./documents.js";
import * as meetingList from "./list-meetings.js";
import * as meetings from "./meetings.js";
import * as permissions from "./permissions.js";
import * as rooms from "./rooms.js";
import * as settings from "./settings.js";
import * as webhooks from "./webhooks.js";

type Exports =
  | (typeof documents)[keyof typeof documents]
  | (typeof meetingList)[keyof typeof meetingList]
  | (typeof meetings)[keyof typeof meetings]
  | (typeof permissions)[keyof typeof permissions]
  | (typeof rooms)[keyof typeof rooms]
  | (typeof settings)[keyof typeof settings]
  | (typeof webhooks)[keyof typeof webhooks];

/** An endpoint of the service. */
export type KnownEndpoint = Extract<Exports, Endpoint>;

const isEndpoint = (value: Exports): value is KnownEndpoint => "route" in value;

export const ENDPOINTS: readonly KnownEndpoint[] = [
  ...Object.values(meetings),
  ...Object.values(meetingList),
  ...Object.values(rooms),
  ...Object.values(documents),
  ...Object.values(permissions),
  ...Object.values(webhooks),
  ...Object.values(settings),
].filter(isEndpoint);
