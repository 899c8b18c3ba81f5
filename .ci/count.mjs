// Reads Vitest's report and prints `PASSED FAILED` for .ci/run, then a line for each failure, for the summary. Besides failed
// tests, it counts files that failed to load, did not run, or left something behind. `paths` are the requested ones, if any.
import { globSync, readFileSync } from 'node:fs'

const [report = '', status = '', ...paths] = process.argv.slice(2)
const { numPassedTests, numFailedTests, success, testResults } = JSON.parse(readFileSync(report, 'utf8'))

const asked = (file) => paths.length === 0 || paths.some((path) => file.startsWith(path))
const written = globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).filter(asked)
const ran = new Set(testResults.filter((file) => file.assertionResults.length > 0).map((file) => file.name))
const missing = written.filter((path) => ![...ran].some((name) => name.endsWith(path)))

const broken = testResults.filter(
  (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
)

const nothing = written.length === 0 || numPassedTests === 0
const unexplained = (status !== '0' || !success) && numFailedTests + broken.length + missing.length === 0
console.log(numPassedTests, numFailedTests + broken.length + missing.length + Number(nothing || unexplained))

const place = (name) => written.find((path) => name.endsWith(path)) ?? name
const firstLine = (message) => (message ?? '').split('\n', 1)[0].slice(0, 200)
for (const path of missing) console.log(`no test ran in ${path}`)
for (const file of broken) console.log(`${place(file.name)} as a whole: ${firstLine(file.message)}`)
for (const file of testResults)
  for (const test of file.assertionResults.filter((test) => test.status === 'failed'))
    console.log(
      `${place(file.name)} ${test.fullName} (${Math.round(test.duration ?? 0)} ms): ${firstLine(test.failureMessages[0])}`,
    )
