import { defineConfig } from 'vitest/config'

const long = process.env['NUQTA_TEST_LONG'] === '1'

// Types of tests are checked by `npm run types`, whose tsconfig includes them; Vitest itself only strips them.
export default defineConfig({
  test: {
    globalSetup: 'test/support/global-setup.ts',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Tests mostly wait for PostgreSQL, and this many fill two cores.
    pool: 'threads',
    maxWorkers: 3,
    testTimeout: long ? 3_600_000 : 60_000,
    // A cluster on a small machine takes its time to be emptied and verified.
    hookTimeout: process.env['NUQTA_TEST_CITUS_URL'] ? 240_000 : 90_000,
    // Tests that really kill and really wait meet machines that stall: CI tries such a test once more, and says so.
    retry: process.env['CI'] === 'true' ? 1 : 0,
    typecheck: { tsconfig: './tsconfig.json' },
    // A run that finds no test, a stray `only` and an unhandled rejection all fail.
    passWithNoTests: false,
    allowOnly: false,
    // Tests choose their own settings: nothing of the shell that starts them may reach the code under test.
    env: { NODE_ENV: 'test', TZ: 'UTC' },
  },
})
