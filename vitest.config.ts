import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'
import { SlowestFiles } from './test/support/slowest-files.ts'

/** Where CI reads the counts from. */
const report = process.env['TEST_REPORT_FILE']
const json: ['json', { outputFile: string }][] = report ? [['json', { outputFile: report }]] : []
const long = process.env['NUQTA_TEST_LONG'] === '1'

// `npm run types` checks the types of the tests; Vitest only strips them.
export default defineConfig({
  test: {
    globalSetup: 'test/support/global-setup.ts',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new SlowestFiles(), ...json],
    // Files of processes and of faults mostly wait: with this many at a time two cores are busy all the same.
    // Starting a program from one process with all workers copies the page tables of more than a gigabyte each time.
    pool: 'forks',
    maxWorkers: 4,
    // With room for what a file leaves behind, a worker collects garbage less often.
    execArgv: ['--initial-heap-size=400', '--min-semi-space-size=16', '--max-semi-space-size=64'],
    // Files of a worker share modules: loading them anew for each took half of the time.
    isolate: false,
    // These limits only end what hangs: no promise of the service is measured by them.
    testTimeout: long ? 3_600_000 : 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    typecheck: { tsconfig: './tsconfig.json' },
    // A run that finds no test, a stray `only` and an unhandled rejection all fail.
    passWithNoTests: false,
    allowOnly: false,
    // Tests choose their own settings: nothing of the shell that starts them may reach the code under test.
    env: { NODE_ENV: 'test', TZ: 'UTC' },
  },
})
