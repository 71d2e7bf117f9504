/** The list of all endpoints, for the OpenAPI document, the tables of the guides and the tests. */
import type { Endpoint } from "../transport/endpoint.js";
import * as documents from "./documents.js";
import * as meetingList from "./list-meetings.js";
import * as meetings from "./meetings.js";
import * as permissions from "./permissions.js";
import * as rooms from "./rooms.js";
import * as settings from "./settings.js";
import * as webhooks from "./webhooks.js";

const isEndpoint = (value: object): value is Endpoint => "route" in value;

export const ENDPOINTS: readonly Endpoint[] = [meetings, meetingList, rooms, documents, permissions, webhooks, settings]
  .flatMap((resource): object[] => Object.values(resource))
  .filter(isEndpoint);
