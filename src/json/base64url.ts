/** Text and bytes as base64url, which needs no escaping in a URL, in any runtime. */
import { orUndefined } from "./or-undefined.js";

export const toBase64Url = (text: string): string => bytesToBase64Url(new TextEncoder().encode(text));

export function bytesToBase64Url(bytes: Uint8Array): string {
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte));
  return btoa(characters.join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export const fromBase64Url = (encoded: string): string | undefined =>
  orUndefined(() => {
    const binary = atob(encoded.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
  });
