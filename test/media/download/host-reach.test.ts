/** Whether a host is on this machine, in the private network or in the Internet, by its name or address. */
import { describe, expect, it } from "vitest";
import { hostReach } from "../../../src/media/download/host-reach.js";

const reachOf = (host: string) => hostReach(new URL(`https://${host}/`).hostname);

describe("hostReach", () => {
  it.each([
    "localhost",
    "localhost.",
    "a.b.localhost",
    "0.0.0.0",
    "0.1.2.3",
    "127.0.0.1",
    "127.255.255.254",
    "127.0.0.1.",
    "[::]",
    "[::1]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:127.1.20.30]",
    "[::ffff:0.0.0.0]",
  ])("finds that %s is this machine", (host) => {
    expect(reachOf(host)).toBe("loopback");
  });

  it.each([
    "10.0.0.0",
    "10.255.255.255",
    "172.16.0.0",
    "172.31.255.255",
    "192.168.0.0",
    "192.168.255.255",
    "169.254.0.0",
    "169.254.169.254",
    "100.64.0.0",
    "100.127.255.255",
    "[fe80::1]",
    "[fc00::1]",
    "[fd12:2001:db8::1]",
    "[2::1]",
    "[4001::1]",
    "[::2]",
    "[::7f00:1:2]",
    "[1::ffff:7f00:1]",
    "[::fffe:7f00:1]",
    "[::ffff:10.0.0.1]",
    "[::ffff:192.168.1.1]",
    "[::ffff:100.100.1.1]",
    "[64:ff9b::127.0.0.1]",
    "[2002:7f00:1::]",
    "[2002:a00:1::]",
  ])("finds that %s is in the private network", (host) => {
    expect(reachOf(host)).toBe("private");
  });

  it.each([
    "example.com",
    "localhost.example.com",
    "mylocalhost",
    "10.0.0.1.example.com",
    "1.1.1.1",
    "9.255.255.255",
    "11.0.0.0",
    "126.0.0.1",
    "128.0.0.1",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.0.1",
    "192.169.0.1",
    "169.253.0.1",
    "169.255.0.1",
    "100.63.255.255",
    "100.128.0.0",
    "8.20.0.1",
    "8.168.0.1",
    "8.254.0.1",
    "8.100.0.1",
    "[2001:db8::1]",
    "[2001:db8::ffff:7f00:1]",
    "[2a00:1450::1]",
    "[3fff::1]",
    "[::ffff:8.8.8.8]",
    "[::ffff:126.127.0.0]",
    "[::9.9.9.9]",
  ])("finds that %s is in the Internet", (host) => {
    expect(reachOf(host)).toBe("public");
  });
});
