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

  get values(): readonly string[] {
    return [...this.#values];
  }
}
