import { NotFoundError } from "../../errors/api-error.js";
import { ConnectionError } from "../../errors/call-errors.js";
import { isRecord } from "../../json/is-record.js";
import { isLoopbackHost, parseUrl } from "../../links/http-url.js";
import { knownHeaders } from "../../redact/redactor.js";
import type { RecordingLink } from "../../schemas/recording.js";
import type { ApiResponse } from "../../transport/api-promise.js";

/** Throws without a recording, for an insecure link, and for a private host that is not the service's. */
export function checkLink(meetingId: string, answer: ApiResponse<RecordingLink>, baseUrl: string): string {
  const { data, response, rateLimit } = answer;
  // With `validation: "off"`, the data may have any shape.
  const link: unknown = isRecord(data) ? data.recording_url : undefined;
  const request = { method: "GET", url: response.url };
  if (link === null) {
    throw new NotFoundError({
      message: `The meeting ${meetingId} has no recording`,
      status: response.status,
      code: undefined,
      // Further fields are left out, because errors are often logged.
      body: { meeting_id: data.meeting_id, recording_url: null },
      headers: knownHeaders(response.headers),
      rateLimit,
      request,
    });
  }
  const url = typeof link === "string" && /^\s*https?:\/\/[^/\\]/i.test(link) ? parseUrl(link) : undefined;
  const problem = linkProblem(url, new URL(baseUrl));
  if (url !== undefined && problem === undefined) return url.href;
  throw new ConnectionError({
    message: `The recording link of ${meetingId} ${problem} and was not opened`,
    request,
    outcome: "rejected",
  });
}

function linkProblem(url: URL | undefined, service: URL): string | undefined {
  if (url === undefined) return "is not an https: URL";
  const reach = hostReach(url.hostname);
  if (reach === "loopback" && hostReach(service.hostname) === "loopback") return undefined;
  const isOwnHost = url.hostname === service.hostname;
  // The service has an `http:` URL only on a loopback host, or if the user has set `allowInsecureHttp`.
  if (url.protocol === "http:" && !(isOwnHost && service.protocol === "http:")) return "is not an https: URL";
  if (reach === "public" || isOwnHost) return undefined;
  return `points to ${url.hostname}, a ${reach} host other than that of baseUrl,`;
}

/** This machine, the network or the cloud's metadata, or any other: a public name may resolve to a private address. */
type HostReach = "loopback" | "private" | "public";

/** Private, link-local, carrier, benchmark, multicast, Azure's metadata. Not `BlockList`: for every runtime. */
const PRIVATE_IPV4 =
  /^(?:10\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|168\.63\.129\.16$|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|192\.0\.0\.|192\.168\.|198\.1[89]\.|2(?:2[4-9]|[3-5]\d)\.)/;
/** An IPv4 address within an IPv6 address, as `URL` writes it: `::ffff:7f00:1`, or without `ffff`. */
const IPV4_INSIDE = /^::(?:ffff:)?([\da-f]{1,4}):([\da-f]{1,4})$/;
/** The public addresses of the Internet, except those that tunnel to an IPv4 address (6to4). */
const GLOBAL_IPV6 = /^(?!2002:)[23][\da-f]{3}:/;

/** `hostname` comes from a `URL`, which normalizes every form of an IPv4 address to four decimal numbers. */
function hostReach(hostname: string): HostReach {
  const name = hostname.replace(/\.$/, "");
  if (isLoopbackHost(name)) return "loopback";
  if (name.startsWith("[")) return reachOfIpv6(name.slice(1, -1));
  return /^\d+(?:\.\d+){3}$/.test(name) ? reachOfIpv4(name) : "public";
}

function reachOfIpv4(address: string): HostReach {
  // 0.0.0.0 connects to this machine on many systems.
  if (/^(?:0|127)\./.test(address)) return "loopback";
  return PRIVATE_IPV4.test(address) ? "private" : "public";
}

function reachOfIpv6(address: string): HostReach {
  if (address === "::") return "loopback";
  const ipv4 = IPV4_INSIDE.exec(address)
    ?.slice(1)
    .map((part) => Number.parseInt(part, 16));
  if (ipv4 !== undefined) return reachOfIpv4(ipv4.flatMap((part) => [part >> 8, part & 0xff]).join("."));
  return GLOBAL_IPV6.test(address) ? "public" : "private";
}
