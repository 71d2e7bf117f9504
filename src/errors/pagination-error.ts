import { brand } from "./brand.js";
import { NotetakerError } from "./notetaker-error.js";

/** A page promises more and gives no cursor, or one that was used before: going on would lose items or never end. */
export class PaginationError extends NotetakerError {
  static {
    brand(this, "PaginationError");
  }
  declare readonly name: "PaginationError";

  constructor(message: string) {
    super(message, { outcome: "accepted" });
  }
}
