/** The argument of a token function. */
export interface TokenContext {
  /**
   * The token that the service has just refused with a 401; `undefined` if this call of the function does not follow a
   * 401.
   */
  readonly rejected: string | undefined;
}

/**
 * The access token, or a function that returns it. Each call runs the function before each attempt, in the async
 * context of that call. After a 401, the function is called once more, with the refused token in `rejected`. If it
 * returns another token, the request is sent again, at most once per call.
 */
export type Token = string | ((context: TokenContext) => string | Promise<string>);
