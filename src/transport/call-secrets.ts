import { createRedactor, type Redactor } from "../redact/redactor.js";

/** The secrets that left with a call, whoever set them: each is kept out of the errors of the whole call. */
export class CallSecrets {
  readonly #values = new Set<string>();

  add(secret: string): void {
    this.#values.add(secret);
  }

  /** The credentials of an `Authorization` header that goes out. */
  addAuthorization(header: string | undefined): void {
    if (header === undefined) return;
    this.add(header.replace(/^\S+\s+/, ""));
  }

  /** Takes the secrets that have left so far out of what becomes part of an error. */
  redactor(): Redactor {
    return createRedactor([...this.#values]);
  }
}
