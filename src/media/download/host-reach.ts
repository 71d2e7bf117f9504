/** How far a host is away, as far as its name or address says. A public name may still resolve to a private address. */

export type HostReach =
  /** This machine. */
  | "loopback"
  /** A private or link-local address: a machine of the same network, or the cloud's own metadata service. */
  | "private"
  | "public";

/** `hostname` as `URL` normalizes it: every spelling of an IPv4 address is then four decimal numbers. */
export function hostReach(hostname: string): HostReach {
  const name = hostname.replace(/\.$/, "");
  if (name === "localhost" || name.endsWith(".localhost")) return "loopback";
  if (name.startsWith("[")) return reachOfIpv6(ipv6Groups(name.slice(1, -1)));
  const ipv4 = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(name);
  return ipv4 ? reachOfIpv4(Number(ipv4[1]), Number(ipv4[2])) : "public";
}

/** By the first two bytes. */
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

/** The eight 16-bit groups of an address, which `URL` has checked and may have shortened with `::`. */
function ipv6Groups(address: string): number[] {
  const groupsOf = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const [head = "", tail = ""] = address.split("::", 2);
  const left = groupsOf(head);
  const right = groupsOf(tail);
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

/** The prefixes after which an IPv6 address holds an IPv4 address: mapped, compatible, NAT64, and 6to4. */
const IPV4_PREFIXES = [[0, 0, 0, 0, 0, 0xffff], [0, 0, 0, 0, 0, 0], [0x64, 0xff9b, 0, 0, 0, 0], [0x2002]];

function reachOfIpv6(groups: readonly number[]): HostReach {
  const [first = 0, second = 0, third = 0] = groups;
  if (groups.slice(0, 7).every((group) => group === 0) && (groups[7] ?? 0) <= 1) return "loopback";
  const prefix = IPV4_PREFIXES.find((candidate) => candidate.every((group, index) => group === groups[index]));
  if (prefix) {
    const upperBytes = groups[prefix.length] ?? 0;
    return reachOfIpv4(upperBytes >> 8, upperBytes & 0xff);
  }
  const isUniqueLocal = first >> 9 === 0xfc >> 1;
  const isLinkOrSiteLocal = first >= 0xfe80 && first <= 0xfeff;
  const isLocalNat64 = first === 0x64 && second === 0xff9b && third === 1;
  return isUniqueLocal || isLinkOrSiteLocal || isLocalNat64 ? "private" : "public";
}
