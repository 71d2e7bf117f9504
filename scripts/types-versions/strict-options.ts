/** The compiler options for checking the package's types: the strictest that a project may have. */
export const STRICT_OPTIONS = {
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
};
