/**
 * Runs before `npm start`, `npm test` and `npm run check`, and explains missing devDependencies in one line, instead of
 * "tsx: not found". `npm ci` leaves them out if NODE_ENV is "production". The script is plain JavaScript, because it
 * must run without tsx.
 */
import { existsSync } from "node:fs";

const missing = ["tsx", "vitest"].filter((name) => !existsSync(new URL(`../node_modules/${name}`, import.meta.url)));
if (missing.length > 0) {
  const why = process.env.NODE_ENV === "production" ? " (NODE_ENV=production leaves them out)" : "";
  console.error(`The devDependencies are not installed${why}. Run: npm ci --include=dev`);
  process.exitCode = 1;
}
