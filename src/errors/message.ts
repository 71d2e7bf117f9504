/** Moved to `format-message.ts`. Kept until the last import of this name is gone. */
export * from "./format-message.js";
