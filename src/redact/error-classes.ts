/** The names of JavaScript's error classes whose constructors need only a message. */
export const ERROR_CLASSES = [
  "Error",
  "EvalError",
  "RangeError",
  "ReferenceError",
  "SyntaxError",
  "TypeError",
  "URIError",
] as const;
