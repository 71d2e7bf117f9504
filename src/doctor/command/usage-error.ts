/**
 * The command was called in a way that it does not know. The message never repeats an argument: it may be the token.
 */
export class UsageError extends Error {}
