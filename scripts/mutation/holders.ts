/**
 * The test files that hold a source which many tests pass through. Other tests use up the tries of its mutants before
 * the turn of these comes; so these try each of its mutants that is left.
 */
export const HOLDERS: Readonly<Record<string, readonly string[]>> = {
  "src/transport/attempt.ts": ["test/transport/logger.test.ts", "test/transport/time-limits.test.ts"],
  "src/transport/base-url.ts": ["test/client/configuration.test.ts"],
  "src/transport/byte-reader.ts": ["test/transport/response-size.test.ts", "test/transport/read-body.test.ts"],
  "src/transport/cursor-history.ts": ["test/transport/cursor-history.test.ts", "test/transport/page.test.ts"],
  "src/transport/custom-operation.ts": ["test/transport/request.test.ts"],
  "src/transport/headers.ts": ["test/client/configuration.test.ts", "test/transport/token-function.test.ts"],
  "src/transport/page.ts": ["test/transport/page.test.ts", "test/transport/page-walks.test.ts"],
  "src/transport/path.ts": ["test/transport/path.test.ts"],
  "src/transport/prepare.ts": ["test/transport/query.test.ts", "test/transport/request.test.ts"],
  "src/transport/read-body.ts": ["test/transport/response-size.test.ts", "test/transport/read-body.test.ts"],
  "src/transport/read-response.ts": [
    "test/transport/redirect.test.ts",
    "test/transport/answer.test.ts",
    "test/transport/validation.test.ts",
    "test/transport/read-body.test.ts",
    "test/transport/request.test.ts",
  ],
  "src/transport/redirect-mode.ts": ["test/transport/redirect.test.ts", "test/transport/middleware.test.ts"],
  "src/transport/renewable-token.ts": ["test/transport/token-function.test.ts"],
  "src/transport/request-options.ts": ["test/transport/request.test.ts"],
  "src/transport/request-token.ts": ["test/transport/token-function.test.ts"],
  "src/transport/send-request.ts": ["test/transport/middleware.test.ts", "test/transport/secrets.test.ts"],
  "src/transport/throttle/local-throttle.ts": ["test/transport/throttle/local-throttle.test.ts"],
  "src/transport/throttle/throttle-options.ts": ["test/transport/throttle/local-throttle.test.ts"],
  "src/transport/throttle/throttle.ts": ["test/transport/throttle/local-throttle.test.ts"],
  "src/transport/time-limit.ts": ["test/transport/time-limits.test.ts", "test/transport/cancellation.test.ts"],
  "src/transport/transport.ts": [
    "test/transport/cancellation.test.ts",
    "test/transport/token-function.test.ts",
    "test/transport/time-limits.test.ts",
    "test/transport/secrets.test.ts",
  ],
};
