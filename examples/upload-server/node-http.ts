import { createServer } from "node:http";
import { toNodeListener } from "notetaker-sdk/node";
import { PUT } from "./route.js";

export const server = createServer(toNodeListener(PUT));

if (process.argv.includes("--listen")) server.listen(3000);
