import { createServer } from "node:http";
import { toNodeListener } from "notetaker-sdk/node";
import { PUT } from "./route.js";

export const server = createServer(toNodeListener(PUT));
server.requestTimeout = 0; // Node's default ends an upload after five minutes

if (process.argv.includes("--listen")) server.listen(3000, "127.0.0.1");
