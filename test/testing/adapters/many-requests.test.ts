import { createEmulator } from "notetaker-sdk/testing";
import { expect, test } from "vitest";

test("requests are kept up to ten thousand, the newest ones", async () => {
  const service = createEmulator({ seed: {} });
  for (let count = 0; count < 10_005; count++) await service.fetch(`${service.baseUrl}/rooms?n=${count}`);
  expect(service.requests).toHaveLength(10_000);
  expect(service.requests[0]!.query.get("n")).toBe("5");
});
