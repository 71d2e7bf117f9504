/** The worker of a program. It gets the program's TypeScript as its only message, and responds with reports. */
import { transform } from "sucrase";
import * as doctor from "../../../../src/doctor/index.js";
import * as client from "../../../../src/index.js";
import * as testing from "../../../../src/testing/index.js";
import * as tools from "../../../../src/tools/index.js";
import * as transcript from "../../../../src/transcript/index.js";
import * as webhooks from "../../../../src/webhooks/index.js";
import { type Report, runProgram } from "./run-program.js";

const report = (message: Report) => postMessage(message);

const modules = {
  "notetaker-sdk": client,
  "notetaker-sdk/testing": testing,
  "notetaker-sdk/transcript": transcript,
  "notetaker-sdk/webhooks": webhooks,
  "notetaker-sdk/tools": tools,
  "notetaker-sdk/doctor": doctor,
};

/** Without types; each import becomes a call of `require`. The function around it is strict. */
const toJavaScript = (code: string) =>
  transform(code, { transforms: ["typescript", "imports"], disableESTransforms: true }).code.replace(
    /^"use strict";/,
    "",
  );

addEventListener("message", ({ data }: MessageEvent<string>) => {
  void runProgram({ toJavaScript: () => toJavaScript(data), modules, report });
});
report({ kind: "ready" });
