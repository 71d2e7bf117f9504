/** Digests of texts: for the names of keys and scripts in Redis. */

const digest = async (algorithm: "SHA-1" | "SHA-256", text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest(algorithm, new TextEncoder().encode(text)));

/** The SHA-1 as 40 hexadecimal digits, by which Redis knows a script. */
export async function sha1(text: string): Promise<string> {
  return Array.from(await digest("SHA-1", text), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The SHA-256 as 43 characters of URL-safe base64. Keys in Redis contain it instead of a token or an id. */
export async function sha256(text: string): Promise<string> {
  return btoa(String.fromCharCode(...(await digest("SHA-256", text))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
