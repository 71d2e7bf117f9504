import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const server = process.env.SERVER_URL ?? "http://127.0.0.1:3000";

export default defineConfig({
  plugins: [react()],
  server: {
    proxy: {
      "/api": { target: server }, // keeps the Host of the page
      "/events": {
        target: server,
        // Without this, the page's stream stays open when the server has gone,
        // and the page never learns of it.
        configure: (proxy) =>
          proxy.on("proxyRes", (upstream, _, response) => {
            upstream.on("close", () => response.destroy());
          }),
      },
    },
  },
  test: { environment: "jsdom", testTimeout: 60_000 },
});
