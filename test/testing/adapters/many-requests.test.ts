import { createEmulator } from "notetaker-sdk/testing";
import { expect, test } from "vitest";

test("the emulator keeps only the newest ten thousand requests", async () => {
  const service = createEmulator({ seed: {} });
  for (let count = 0; count < 10_005; count++) await service.fetch(`${service.baseUrl}/rooms?n=${count}`);
  expect(service.requests).toHaveLength(10_000);
  expect(service.requests[0]!.query.get("n")).toBe("5");
});
