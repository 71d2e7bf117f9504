/**
 * The test files that hold a source which many tests pass through. Other tests use up the tries of its mutants before
 * the turn of these comes; so these try each of its mutants that is left.
 */
export const HOLDERS: Readonly<Record<string, readonly string[]>> = {
  "src/media/bytes/content-length.ts": ["test/media/bytes/content-length.test.ts"],
  "src/media/bytes/pull-stream.ts": ["test/media/bytes/pull-stream.test.ts"],
  "src/media/download/check-link.ts": [
    "test/media/download/recording-links.test.ts",
    "test/media/download/storage-failures.test.ts",
  ],
  "src/media/download/content-range.ts": ["test/media/download/content-range.test.ts"],
  "src/media/download/download-range.ts": [
    "test/media/download/storage-failures.test.ts",
    "test/media/download/resumed-ranges.test.ts",
  ],
  "src/media/download/download-recording.ts": ["test/media/download/storage-failures.test.ts"],
  "src/media/download/host-reach.ts": ["test/media/download/host-reach.test.ts"],
  "src/media/download/recording-version.ts": ["test/media/download/recording-version.test.ts"],
  "src/media/download/resume-until-complete.ts": ["test/media/download/storage-failures.test.ts"],
  "src/media/download/storage-request.ts": ["test/media/download/storage-failures.test.ts"],
  "src/media/upload/byte-source.ts": [
    "test/media/upload/upload-source.test.ts",
    "test/media/upload/failing-sources.test.ts",
  ],
  "src/media/upload/content-type.ts": ["test/media/upload/upload-source.test.ts"],
  "src/media/upload/early-response-pacing.ts": ["test/media/upload/early-response-pacing.test.ts"],
  "src/media/upload/upload-body.ts": [
    "test/media/upload/failing-sources.test.ts",
    "test/media/upload/upload-body.test.ts",
  ],
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
  "src/transport/throttle/limit.ts": [
    "test/transport/throttle/two-limits.test.ts",
    "test/transport/throttle/waiting-calls.test.ts",
  ],
  "src/transport/throttle/local-throttle.ts": [
    "test/transport/throttle/local-throttle.test.ts",
    "test/transport/throttle/two-limits.test.ts",
    "test/transport/throttle/waiting-calls.test.ts",
  ],
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
