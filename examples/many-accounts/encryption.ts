/**
 * AES-256-GCM. A text that is encrypted for one customer cannot be decrypted as another's. Each text names its key, so
 * keys can be replaced one after another: `ENCRYPTION_KEYS` is `NAME:HEX,NAME:HEX`, and the first one encrypts.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { setting, stop } from "./settings.js";

const entries = setting("ENCRYPTION_KEYS").split(",");
const pairs = entries.map((entry) => entry.trim().split(":"));
const keys = new Map(pairs.map(([name = "", hex = ""]): [string, Buffer] => [name, Buffer.from(hex, "hex")]));
/** The name of the key that encrypts. */
export const [currentKey = ""] = keys.keys();

function keyOf(name: string): Buffer {
  const key = keys.get(name);
  if (key === undefined) throw new Error(`ENCRYPTION_KEYS has no key "${name}"`);
  return key;
}

for (const [name, { length }] of keys) if (length !== 32) stop(`the key "${name}" lacks its 64 hexadecimal digits`);

export function encrypt(text: string, customer: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyOf(currentKey), iv).setAAD(Buffer.from(customer));
  const data = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return `${currentKey}.${Buffer.concat([iv, cipher.getAuthTag(), data]).toString("base64")}`;
}

export function decrypt(encrypted: string, customer: string): string {
  const [name = "", data = ""] = encrypted.split(".");
  const bytes = Buffer.from(data, "base64");
  const decipher = createDecipheriv("aes-256-gcm", keyOf(name), bytes.subarray(0, 12)).setAAD(Buffer.from(customer));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return decipher.update(bytes.subarray(28), undefined, "utf8") + decipher.final("utf8");
}
