import { parseUrl } from "../../links/http-url.js";
import { custom, type Infer } from "../../schemas/primitives.js";

/** Whether a browser sends `value` as an origin: no path or wildcard, lower case. Apps have schemes of their own. */
function isOrigin(value: string): boolean {
  if (value.includes("*")) return false;
  const origin = parseUrl(value)?.origin;
  return origin === value || (origin === "null" && /^[a-z][a-z\d+.-]*:\/\/[^\sA-Z/?#@]+$/.test(value));
}

const isOriginOption = (value: unknown): boolean => {
  if (typeof value === "function" || value === "*") return true;
  const origins: readonly unknown[] = Array.isArray(value) ? value : [value];
  return origins.length > 0 && origins.every((origin) => typeof origin === "string" && isOrigin(origin));
};

export const corsOptions = {
  /** Origins (`https://app.example.com`), with cookies; a function that decides; `"*"`: all, without cookies. */
  origin: custom<string | readonly string[] | ((origin: string) => boolean | Promise<boolean>)>(
    isOriginOption,
    "an origin such as https://app.example.com, a list of them, a function, or *",
  ),
};

export interface CorsOptions extends Infer<typeof corsOptions> {}

/** The longest time for which all browsers keep the response to a preflight. */
const MAX_AGE_SECONDS = "7200";

/** Answers the preflight (OPTIONS) itself. The page may read any response if its origin is allowed. */
export async function respondToPage(
  { origin }: CorsOptions,
  request: Request,
  respond: () => Promise<Response>,
): Promise<Response> {
  const allowed = await allowOrigin(origin, request.headers.get("origin"));
  const { status, statusText, headers, body } =
    request.method === "OPTIONS" ? preflightResponse(request) : await respond();
  // A new response: the headers of a redirect, for example, cannot be changed.
  const response = new Response(body, { status, statusText, headers });
  for (const [name, value] of Object.entries(allowed)) {
    if (name === "Vary") response.headers.append(name, value);
    else response.headers.set(name, value);
  }
  return response;
}

async function allowOrigin(allowed: CorsOptions["origin"], origin: string | null): Promise<Record<string, string>> {
  if (allowed === "*") return { "Access-Control-Allow-Origin": "*" };
  const isAllowed = (given: string) =>
    typeof allowed === "function" ? allowed(given) : [allowed].flat().includes(given);
  // A cache must not return the response to one origin to another.
  if (origin === null || !(await isAllowed(origin))) return { Vary: "Origin" };
  return { Vary: "Origin", "Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true" };
}

function preflightResponse({ headers }: Request): Response {
  const requested = headers.get("access-control-request-headers");
  return new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": "GET",
      "Access-Control-Allow-Headers": requested === null ? "Last-Event-ID" : `Last-Event-ID, ${requested}`,
      "Access-Control-Max-Age": MAX_AGE_SECONDS,
    },
  });
}
