/**
 * The member of an init that keeps a request and its response out of every cache. Some runtimes refuse the option, and
 * React Native adds a parameter to the URL; they have no cache, and their `Request` has no such member.
 */
export const noStore = (): { cache?: "no-store" } =>
  typeof Request === "function" && "cache" in Request.prototype ? { cache: "no-store" } : {};
