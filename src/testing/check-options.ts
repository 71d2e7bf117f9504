/** Finds what is wrong with an emulator's options: a test is often JavaScript, and a misspelt option would change nothing. */
import { UNSHOWN_QUERY } from "../unshown.js";
import type { Mistake } from "./emulator-error.js";
import { boolean, filledText } from "./http/rules.js";
import { checked, milliseconds, object, oneOfThese, optional, type Shape } from "./shape.js";
import { ENFORCED_LIMITS, LIFE_TIMES } from "./state/settings.js";

/** Looked at where it is used. */
const elsewhere: Shape = () => {};
const callback = optional((value, path, found) => {
  if (typeof value !== "function") found(path, "expected a function");
});
const name = checked(filledText);

/** An object with any of the keys of `table`, each held to what `shape` makes of its value. */
const anyOf = <T>(table: Readonly<Record<string, T>>, shape: (value: T) => Shape) =>
  object(Object.fromEntries(Object.entries(table).map(([key, value]) => [key, optional(shape(value))])));

const times = anyOf({ ...LIFE_TIMES }, () => milliseconds);

const life: Shape = (value, path, found) => {
  if (typeof value === "string") oneOfThese(["manual"])(value, path, found);
  else times(value, path, found);
};

const seed: Shape = (value, path, found) => {
  if (typeof value === "number" ? !Number.isInteger(value) : typeof value !== "object" || value === null) {
    found(path, "expected an object, or a whole number");
  }
};

const shape = object({
  token: optional(name),
  seed: optional(seed),
  now: optional(elsewhere),
  baseUrl: optional(elsewhere),
  strict: optional(checked(boolean)),
  limits: optional(oneOfThese(ENFORCED_LIMITS)),
  life: optional(life),
  allowDeliveryTo: callback,
  onRequest: callback,
  unshown: optional(anyOf<object>(UNSHOWN_QUERY, (names) => anyOf({ ...names }, () => name))),
});

export function optionMistakes(options: unknown): Mistake[] {
  const mistakes: Mistake[] = [];
  shape(options, "", (path, message) => mistakes.push({ path, message }));
  return mistakes;
}
