import { generateKeyPairSync } from "node:crypto";
import { selfSigned } from "../support/certificate.js";

type Certificate = ReturnType<typeof selfSigned>;

let made: { trusted: Certificate; untrusted: Certificate } | undefined;

/** Two certificates for the same name, created once per process. Clients trust only the first. */
export function certificates(): { trusted: Certificate; untrusted: Certificate } {
  const make = () => selfSigned(generateKeyPairSync("rsa", { modulusLength: 2048 }));
  made ??= { trusted: make(), untrusted: make() };
  return made;
}
