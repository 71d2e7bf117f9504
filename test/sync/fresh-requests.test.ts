import { memoryStore, Notetaker, syncMeetings } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { expect, it } from "vitest";

it("each request of a run says that no cache of a framework may answer it", async () => {
  const service = createEmulator({ limits: "none" });
  const caches = new Set<unknown>();
  const fetch = (url: string, init: object) => {
    caches.add((init as { cache?: unknown; next?: unknown }).next ?? (init as { cache?: unknown }).cache);
    return service.fetch(url, init);
  };
  const notetaker = new Notetaker({
    ...service.clientOptions,
    fetch: fetch as never,
    fetchOptions: { next: { revalidate: 60 } },
  });
  const { requests } = await syncMeetings(notetaker, { into: memoryStore(), requestsPerMinute: 1e6 });
  expect(requests).toBe(service.requests.length);
  expect(caches).toEqual(new Set(["no-store"]));
});
