/** Refuses what another page of the user's browser sends. */
import type { MiddlewareHandler } from "hono";
import { isThisMachine } from "./current-user.js";

/**
 * `Host` has to be one of ours, or a page could read everything under a name of
 * its own that leads to this machine (DNS rebinding). A write has to come from
 * our own page: every browser says where it comes from, and a program that says
 * nothing has no cookies of the user.
 */
export const guard =
  (hosts: readonly string[]): MiddlewareHandler =>
  async (c, next) => {
    const { host, hostname } = new URL(c.req.url);
    if (!isThisMachine(hostname) && !hosts.includes(hostname))
      return c.text(`this server is not ${hostname}`, 421);
    if (!["GET", "HEAD"].includes(c.req.method)) {
      const origin = c.req.header("origin") ?? `http://${host}`;
      const isOurs = URL.canParse(origin) && new URL(origin).host === host;
      // Not sent by older browsers, and on plain http: then the origin decides.
      const site = c.req.header("sec-fetch-site");
      if (site === undefined ? !isOurs : site !== "same-origin")
        return c.text("another page may not do this", 403);
    }
    await next();
  };
