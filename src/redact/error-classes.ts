/** The names of the error classes of the language that need no more than a message. */
export const ERROR_CLASSES = [
  "Error",
  "EvalError",
  "RangeError",
  "ReferenceError",
  "SyntaxError",
  "TypeError",
  "URIError",
] as const;
