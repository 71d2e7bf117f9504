/** Keeps a request out of every cache. Runtimes without one (React Native) refuse it, or add a parameter to the URL. */
export const noStore = (): { cache?: "no-store" } =>
  typeof Request === "function" && "cache" in Request.prototype ? { cache: "no-store" } : {};
