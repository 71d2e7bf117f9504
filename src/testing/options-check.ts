/** Finds what is wrong with an emulator's options: a test is often JavaScript, and a misspelt option would change nothing. */
import { UNSHOWN_QUERY } from "../unshown.js";
import type { Mistake } from "./emulator-error.js";
import { boolean, filledText } from "./rules.js";
import { checked, object, oneOfThese, optional, type Shape } from "./shape.js";

/** Looked at where it is used. */
const elsewhere: Shape = () => {};
const callback = optional((value, path, found) => {
  if (typeof value !== "function") found(path, "expected a function");
});
const name = optional(checked(filledText));

const milliseconds: Shape = (value, path, found) => {
  if (typeof value !== "number" || !(value >= 0) || value === Number.POSITIVE_INFINITY) {
    found(path, "expected milliseconds from 0 up");
  }
};

const TIMES = ["createMs", "admitMs", "callMs", "transcribeMs", "summariseMs", "cancelMs"] as const;
const times = object(Object.fromEntries(TIMES.map((time) => [time, optional(milliseconds)])));

const life: Shape = (value, path, found) => {
  if (typeof value === "string") oneOfThese(["manual"])(value, path, found);
  else times(value, path, found);
};

const seed: Shape = (value, path, found) => {
  if (typeof value === "number" ? !Number.isInteger(value) : typeof value !== "object" || value === null) {
    found(path, "expected an object, or a whole number");
  }
};

const names = (table: object) => optional(object(Object.fromEntries(Object.keys(table).map((key) => [key, name]))));

const shape = object({
  token: name,
  seed: optional(seed),
  now: optional(elsewhere),
  baseUrl: optional(elsewhere),
  strict: optional(checked(boolean)),
  limits: optional(oneOfThese(["interface", "all", "none"])),
  life: optional(life),
  allowDeliveryTo: callback,
  onRequest: callback,
  unshown: optional(
    object(Object.fromEntries(Object.entries(UNSHOWN_QUERY).map(([key, table]) => [key, names(table)]))),
  ),
});

export function optionMistakes(options: unknown): Mistake[] {
  const mistakes: Mistake[] = [];
  shape(options, "", (path, message) => mistakes.push({ path, message }));
  return mistakes;
}
