/**
 * The command was called with invalid arguments. The message never repeats an argument, because it may be the token.
 */
export class UsageError extends Error {}
