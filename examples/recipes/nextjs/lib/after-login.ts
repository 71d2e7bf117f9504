/** Where the login leads to. Anybody can write a link with another place. */
export function afterLogin(search: string): string {
  const to = new URLSearchParams(search).get("to") ?? "";
  return to.startsWith("/meetings/") ? to : "/";
}
