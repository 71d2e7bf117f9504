/** Ends a run with one plain line that any tool can read: `N passed, N failed`. */
import type { Reporter, TestModule } from "vitest/node";

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]) {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        count[state === "pending" ? "skipped" : state] += 1;
      }
    }
    if (count.skipped > 0) console.log(`\n${count.skipped} skipped`);
    console.log(`\n${count.passed} passed, ${count.failed} failed`);
  }
}
