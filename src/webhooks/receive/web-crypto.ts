import { ConfigurationError } from "../../errors/argument-errors.js";

const MISSING =
  "this runtime has no Web Crypto (crypto.subtle), needed to sign and verify webhooks: " +
  "receive them on a server. A page has it only over https:.";

/**
 * Web Crypto, looked up when it is needed.
 *
 * @throws {@link ConfigurationError} if the runtime has none, like React Native.
 */
export function webCrypto(): SubtleCrypto {
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (subtle === undefined) throw new ConfigurationError(MISSING);
  return subtle;
}
