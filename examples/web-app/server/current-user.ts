/**
 * The login of your users belongs here: who sends the request, or `undefined`.
 * Until then, whoever is at this machine is the user, and nobody else: under
 * another name than `localhost`, every request is refused with 401.
 */
export function currentUser({ url }: Request): string | undefined {
  return isThisMachine(new URL(url).hostname) ? "you" : undefined;
}

export const isThisMachine = (hostname: string) =>
  ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
