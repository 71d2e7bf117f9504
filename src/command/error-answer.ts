/** Why a line of the input is not a message of the protocol, as the JSON-RPC error that answers it. */
import { deserializeMessage, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { isRecord } from "../json/is-record.js";
import { parseJson } from "../json/parse-json.js";
import type { InputLine } from "./input-lines.js";

type Id = string | number | null;

interface ErrorAnswer {
  readonly jsonrpc: "2.0";
  /** `null` if the line does not say which request it is. */
  readonly id: Id;
  readonly error: { readonly code: number; readonly message: string };
}

const errorAnswer = (id: Id, code: number, message: string): ErrorAnswer => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});

const requestId = (value: unknown): Id => (typeof value === "string" || typeof value === "number" ? value : null);

export function errorAnswerTo({ text }: InputLine): ErrorAnswer | undefined {
  if (text === undefined) return errorAnswer(null, ProtocolErrorCode.InvalidRequest, "the line is too long");
  const value = parseJson(text);
  if (value === undefined) return errorAnswer(null, ProtocolErrorCode.ParseError, "expected a line of JSON in UTF-8");
  try {
    deserializeMessage(text);
    return undefined;
  } catch {
    const expected = Array.isArray(value) ? "expected one message, not a batch" : "expected a message of JSON-RPC 2.0";
    return errorAnswer(isRecord(value) ? requestId(value.id) : null, ProtocolErrorCode.InvalidRequest, expected);
  }
}
