/** Checks the link to a recording, before it is opened. */
import { NotFoundError } from "../../errors/api-error.js";
import { ConnectionError } from "../../errors/call-errors.js";
import { isRecord } from "../../json/is-record.js";
import { httpUrl, isLoopbackHost } from "../../links/http-url.js";
import { knownHeaders } from "../../redact/redactor.js";
import type { RecordingLink } from "../../schemas/recording.js";
import type { ApiResponse } from "../../transport/api-promise.js";

/**
 * Returns the URL to download from. Throws if the meeting has no recording, or if the link is insecure. Also throws for
 * a link to this machine or a private network, unless the service has the same host, or both hosts are loopback hosts.
 */
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
  const problem = linkProblem(link, new URL(baseUrl));
  if (problem === undefined) return link as string;
  throw new ConnectionError({
    message: `The recording link of ${meetingId} ${problem} and was not opened`,
    request,
    outcome: "rejected",
  });
}

function linkProblem(link: unknown, service: URL): string | undefined {
  const url = typeof link === "string" ? httpUrl(link) : undefined;
  if (url === undefined) return "is not an https: URL";
  const reach = hostReach(url.hostname);
  if (reach === "loopback" && hostReach(service.hostname) === "loopback") return undefined;
  const isOwnHost = url.hostname === service.hostname;
  // The service has an `http:` URL only on a loopback host, or if the user has set `allowInsecureHttp`.
  if (url.protocol === "http:" && !(isOwnHost && service.protocol === "http:")) return "is not an https: URL";
  if (reach === "public" || isOwnHost) return undefined;
  return `points to ${url.hostname}, a ${reach} host other than that of baseUrl,`;
}

/** What a host is, by its name or address. A public name may still resolve to a private address. */
type HostReach =
  /** This machine. */
  | "loopback"
  /** A private or link-local address: a machine of the same network, or the cloud's own metadata service. */
  | "private"
  | "public";

/** `hostname` comes from a `URL`, which normalizes every form of an IPv4 address to four decimal numbers. */
function hostReach(hostname: string): HostReach {
  const name = hostname.replace(/\.$/, "");
  if (isLoopbackHost(name)) return "loopback";
  if (name.startsWith("[")) return reachOfIpv6(name.slice(1, -1));
  const ipv4 = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(name);
  return ipv4 ? reachOfIpv4(Number(ipv4[1]), Number(ipv4[2])) : "public";
}

/** `first` and `second` are the first two bytes of the address. */
function reachOfIpv4(first: number, second: number): HostReach {
  // 0.0.0.0 connects to this machine on many systems.
  if (first === 127 || first === 0) return "loopback";
  const isPrivate =
    first === 10 ||
    (first === 172 && second >= 16 && second <= 31) ||
    (first === 192 && second === 168) ||
    (first === 169 && second === 254) ||
    (first === 100 && second >= 64 && second <= 127);
  return isPrivate ? "private" : "public";
}

/** An IPv4 address within an IPv6 address, as `URL` writes it: `::ffff:7f00:1`, or without `ffff`. */
const IPV4_INSIDE = /^::(?:ffff:)?([\da-f]{1,4}):[\da-f]{1,4}$/;
/** The public addresses of the Internet, except those that tunnel to an IPv4 address (6to4). */
const GLOBAL = /^(?!2002:)[23][\da-f]{3}:/;

function reachOfIpv6(address: string): HostReach {
  if (address === "::") return "loopback";
  const upperBytes = Number.parseInt(IPV4_INSIDE.exec(address)?.[1] ?? "", 16);
  if (!Number.isNaN(upperBytes)) return reachOfIpv4(upperBytes >> 8, upperBytes & 0xff);
  return GLOBAL.test(address) ? "public" : "private";
}
