/**
 * The command was called with invalid arguments. It is reported in one line without a stack trace, with exit code 2.
 */
export class UsageError extends Error {}
