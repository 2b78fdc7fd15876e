/** The test files that take longest, in this order. They start first. */
export const LONGEST: readonly string[] = [
  // Waits for locks.
  'test/store/sqlite.test.ts',
  'test/python/pitfalls.test.ts',
  'test/cli/trust.test.ts',
  'test/cli/braidwork.test.ts',
  'test/cli/serve.test.ts',
  // Wait for ends of streams, for retries, and for plugins that hang.
  'test/providers/openai/connection.test.ts',
  'test/providers/anthropic/connection.test.ts',
  'test/providers/retry-after.test.ts',
  'test/testing/plugin-checks.test.ts',
  'test/core/host/sent-collections.test.ts',
  'test/providers/openai/bad-answers.test.ts',
  'test/providers/anthropic/bad-answers.test.ts',
  'test/plugin/contrived.test.ts',
  'test/scripts/replay.test.ts',
  'test/store/storage.growth.test.ts',
  'test/hostile/linear/encode.growth.test.ts',
  'test/python/plain-pythonia.python.test.ts',
  'test/python/make-venv.python.test.ts',
  'test/python/broken.python.test.ts',
  'test/cli/trust.install.test.ts',
  'test/providers/hostile-api.load.test.ts',
]
