/** The options of `relay.publish`, and their check. */
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { isRecord } from "../../json/is-record.js";
import { unknownName } from "../../schemas/unknown-name.js";

/** Options of `relay.publish`. */
export interface PublishOptions {
  /**
   * Who receives the event: one audience or several. Leave the option out to publish to every authorized connection. An
   * `audience` that is `undefined`, `null`, `""` or `[]` is refused: a missing id must not become a broadcast.
   */
  audience?: string | readonly string[];
}

/** The names of the options. A table that lacks a name does not compile. */
const ALLOWED: Readonly<Record<keyof PublishOptions, true>> = { audience: true };

const refusal = (path: string, message: string) => new InvalidArgumentError("relay.publish", [{ path, message }]);

const isName = (value: unknown): boolean => typeof value === "string" && value !== "";

/**
 * The audience as a list; `undefined` for every authorized connection.
 *
 * @throws {@link InvalidArgumentError} if `audience` is neither a name nor a list of names, or an option is unknown.
 */
export function audienceOf(options: PublishOptions): readonly string[] | undefined {
  if (!isRecord(options)) throw refusal("options", "expected an object");
  const allowed = Object.keys(ALLOWED);
  for (const name of Object.keys(options)) {
    if (!allowed.includes(name)) throw refusal(name, unknownName(name, allowed));
  }
  if (!("audience" in options)) return undefined;
  const audience: unknown = options.audience;
  const names: readonly unknown[] = Array.isArray(audience) ? [...audience] : [audience];
  if (names.length === 0 || !names.every(isName)) {
    throw refusal("audience", "expected a name or a list of names; to reach everybody, leave the option out");
  }
  return names as readonly string[];
}
