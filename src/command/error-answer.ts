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

/** The id where the libraries of hosts write it: at the start of a message, or as its last member. */
const ID_MEMBER = /"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{1,100}")/;
const FIRST_ID = new RegExp(`^\\s*\\{\\s*${ID_MEMBER.source}`);
const LAST_ID = new RegExp(`${ID_MEMBER.source}\\s*\\}\\s*$`);

const requestId = (value: unknown): Id => (typeof value === "string" || typeof value === "number" ? value : null);

export function errorAnswerTo({ text, isTooLong }: InputLine): ErrorAnswer | undefined {
  if (isTooLong) {
    const [, id = "null"] = FIRST_ID.exec(text) ?? LAST_ID.exec(text) ?? [];
    return errorAnswer(requestId(parseJson(id)), ProtocolErrorCode.InvalidRequest, "the line is too long");
  }
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
