/** Reads and writes the JSON files of an export. */
import { parseJson } from "../../json/parse-json.js";
import type { SinkWriter } from "./sink-writer.js";

/** A value as JSON that is indented for people. */
export const jsonBytes = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);

/** The value of a JSON file; `undefined` if the file does not exist or is not JSON. The shape is unchecked. */
export async function readJson(sink: SinkWriter, path: string): Promise<unknown> {
  const bytes = await sink.read(path);
  return bytes === undefined ? undefined : parseJson(Buffer.from(bytes).toString("utf8"));
}
