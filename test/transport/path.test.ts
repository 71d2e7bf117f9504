import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidArgumentError } from "../../src/errors/argument-errors.js";
import { runs } from "../support/property-seed.js";
import { BASE_URL, clientOf, json, rejectionOf } from "../support/recorder.js";

const DANGEROUS = ["/", "\\", ".", "..", "?", "#", "%", "%2f", "%2e", "@", ":", ";", " ", "\n", "\0", "é", "\ud800"];
/** Any text, with characters that are dangerous in a path more often than by chance. */
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.array(fc.oneof(fc.constantFrom(...DANGEROUS), fc.string())).map((parts) => parts.join("")),
);

/** An argument that is refused is no failure of a property: no request is sent. */
const unlessRefused = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).catch((error) => {
    if (!(error instanceof InvalidArgumentError)) throw error;
  });

describe("an id in a path", () => {
  it("is refused, or is exactly one segment of the URL", async () => {
    const { notetaker, seen } = clientOf(() => json({ event_id: "evt_1", status: "cancelling" }));
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (event, permission) => {
        seen.length = 0;
        const id = `evt_${event}`;
        await unlessRefused(notetaker.meetings.cancelBot(id));
        for (const { request } of seen) {
          const { origin, pathname, search, hash } = new URL(request.url);
          expect(origin + pathname.split("/").slice(0, 3).join("/")).toBe(`${BASE_URL}/meetings`);
          expect(pathname.split("/").slice(3).map(decodeURIComponent)).toEqual([id, "bot"]);
          expect(search + hash).toBe("");
        }

        seen.length = 0;
        await unlessRefused(notetaker.permissions.revoke("mtg_1", permission));
        for (const { request } of seen) {
          const segments = new URL(request.url).pathname.split("/").slice(2).map(decodeURIComponent);
          expect(segments).toEqual(["meetings", "mtg_1", "permissions", permission]);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("the path of request()", () => {
  it("is refused, or leads to a URL below the base URL", async () => {
    const { notetaker, seen } = clientOf(() => json({}));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          anyText,
          anyText.map((text) => `/${text}`),
          fc.webUrl(),
          fc.webPath(),
        ),
        async (path) => {
          seen.length = 0;
          await unlessRefused(notetaker.request("GET", path));
          for (const { request } of seen) {
            expect(request.url.startsWith(`${BASE_URL}/`)).toBe(true);
            expect(new URL(request.url).search).toBe("");
          }
        },
      ),
      { numRuns: runs(500) },
    );
  });

  const ELSEWHERE = "rooms // //evil.example/x https://evil.example/x /rooms?limit=1 /rooms#x /rooms\\..\\x /rooms//x";
  const UPWARDS = "/.. /../v2/rooms /rooms/../../v2 /rooms/./x /%2e%2e/v2 /.%2E/v2 /rooms/.. /%2E%2E/admin";
  /** Paths that leave baseUrl after a proxy has decoded them. */
  const DECODED = [
    "/rooms/..%2f..%2fadmin /rooms/%2e%2e%2fadmin /rooms/..%5cadmin /rooms/..;/admin /rooms/%2e%2e;/admin",
    "/rooms/..%3b/admin /rooms/.%2e/admin /rooms/%252e%252e%252fadmin /rooms/%25252e%25252e/admin /rooms/.;x=1/admin",
    // Encoded more often than any proxy decodes.
    "/a/%2525252e%2e/x /a/%252525252541",
  ];
  const SPLIT = [ELSEWHERE, UPWARDS, ...DECODED].flatMap((paths) => paths.split(" "));
  it.each([...SPLIT, "", "/", "/ro oms", "/rooms\r\nx: y", "/rooms\0", undefined, null, { toString: 1 }])(
    "%j is refused",
    async (path) => {
      const { notetaker, seen } = clientOf(() => json({}));
      const error = await rejectionOf(InvalidArgumentError, notetaker.request("GET", path as string));
      expect(error.issues).toMatchObject([{ path: "path" }]);
      expect(seen).toEqual([]);
    },
  );

  const PLAIN = "/rooms /rooms/ /rooms/room_1/x /a/... /... /a/..b /rooms/a..b /a/%2Fb /@evil.example /a:b /a;b=1/c";
  const ENCODED = "/files/x%20y /files/100%25 /teams/%C3%A9 /a/%2541 /a/%2525252541 /a/b.%2e/x";
  it.each([...`${PLAIN} ${ENCODED}`.split(" "), "/é"])("%j is sent", async (path) => {
    const { notetaker, seen } = clientOf(() => json({}));
    await notetaker.request("GET", path);
    expect(seen[0]!.path).toBe(path === "/é" ? "/%C3%A9" : path);
  });
});
