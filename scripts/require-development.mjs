/**
 * Runs before `npm start`, `npm test` and `npm run check`. `npm ci` leaves the devDependencies out if NODE_ENV is
 * "production"; then this says so in one line, instead of "tsx: not found". Plain JavaScript: it runs without tsx.
 */
import { existsSync } from "node:fs";

const missing = ["tsx", "vitest"].filter((name) => !existsSync(new URL(`../node_modules/${name}`, import.meta.url)));
if (missing.length > 0) {
  const why = process.env.NODE_ENV === "production" ? " (NODE_ENV=production leaves them out)" : "";
  console.error(`The devDependencies are not installed${why}. Run: npm ci --include=dev`);
  process.exitCode = 1;
}
