/** The argument of a token function. */
export interface TokenContext {
  /**
   * The token that the service has just refused with a 401; `undefined` if this call of the function does not follow a
   * 401.
   */
  readonly rejected: string | undefined;
}

/**
 * The access token, or a function that returns it, called before each attempt by each call in its own async context.
 * After a 401 it is called once more, with the refused token in `rejected`: another token is tried, once per call.
 */
export type Token = string | ((context: TokenContext) => string | Promise<string>);
