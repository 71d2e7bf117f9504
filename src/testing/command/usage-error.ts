/** What was typed cannot be used: reported in one line, without a stack trace, with exit code 2. */
export class UsageError extends Error {}
