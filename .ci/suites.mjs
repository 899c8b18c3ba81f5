// Test files by what they need, for the lists of .ci/citus.mjs and .ci/debian.mjs.
import { existsSync, globSync, readFileSync } from 'node:fs'

/** The test files of these patterns that call one of the functions. */
export function filesWith(functions, patterns) {
  const call = new RegExp(`\\b(${functions})\\(`)
  return globSync(patterns).filter((path) => call.test(readFileSync(path, 'utf8')))
}

/** Prints `files` without the excluded ones, and those with their reasons on stderr. */
export function print(place, files, leftOutHere = {}) {
  const unknown = Object.keys(leftOutHere).filter((path) => !files.includes(path))
  const gone = Object.keys(everywhere).filter((path) => !existsSync(path))
  if (unknown.length + gone.length > 0) throw new Error(`left out, and not there: ${[...unknown, ...gone].join(', ')}`)
  const leftOut = { ...everywhere, ...leftOutHere }
  const wanted = files.filter((path) => !(path in leftOut))
  for (const path of files) if (path in leftOut) console.error(`not on ${place}: ${path}, which ${leftOut[path]}`)
  console.log([...new Set(wanted)].sort().join('\n'))
}

/** Why files run on the embedded database only. */
const inputs = 'tries many inputs, which the service judges without its database'
const processes = 'is about processes, whose statements other files run'
const browser = 'drives Chromium: a page is the same on every database'
const files = 'is about files that are sent, which are the same'
const model = (path) => `runs the statements of ${path} hundreds of times`

/** Browser tests that also check guarantees no other file checks. */
const notOnlyBrowser = ['test/journeys/demo-shop.test.ts']
const inBrowser = filesWith('testBrowser', ['test/**/*.test.ts']).filter((path) => !notOnlyBrowser.includes(path))

/** Found by a comparison of the statements that each file sends. Races, locks and processes that die stay on the lists. */
const sentByOthers = [
  'journeys/checkout-identify',
  'journeys/checkout-over',
  'journeys/checkout-pay',
  'journeys/codes',
  'journeys/described-examples',
  'journeys/payment-process',
  'journeys/wallet-session',
  'journeys/wallet-sign-in',
  'pages/card',
  'regression/a-full-wallet-answered-500',
  'regression/a-limit-left-no-way-to-pay',
  'regression/a-removed-account-reversed-paid-orders',
  'regression/a-settlement-did-not-count-what-it-billed',
  'regression/codes-were-counted-by-program',
  'regression/large-movements-left-no-statement',
  'regression/remembered-browsers-began-any-number-of-payments',
  'regression/strangers-drove-the-provider',
  'regression/strangers-locked-a-customer-out',
  'regression/tests-of-payment-drove-the-provider',
].map((name) => `test/${name}.test.ts`)

/** Files excluded from every list. */
const everywhere = {
  ...Object.fromEntries(inBrowser.map((path) => [path, browser])),
  ...Object.fromEntries(
    sentByOthers.map((path) => [path, 'sends no statement that other files of the list do not send']),
  ),
  'test/dashboard/files.test.ts': files,
  'test/features/earning/inputs.test.ts': inputs,
  'test/features/orders/inputs.test.ts': inputs,
  'test/properties/checkout-model.test.ts': model('test/features/checkout/'),
  'test/properties/daily-figures.test.ts': model('test/features/activity/'),
  'test/properties/earning-model.test.ts': model('test/features/earning/races.test.ts'),
  'test/properties/liability.test.ts': model('test/features/liability/'),
  'test/properties/merges.test.ts': model('test/features/people/people.test.ts'),
  'test/properties/order-refunds.test.ts': model('test/features/orders/refunds.test.ts'),
  'test/properties/settlement-model.test.ts': model('test/features/settlement/'),
  'test/properties/wallet-statement.test.ts': model('test/journeys/wallet-statement.test.ts'),
  'test/regression/bodies-of-strangers-ended-the-process.test.ts': processes,
  'test/regression/callback-led-anywhere-under-our-name.test.ts': inputs,
  'test/regression/wrong-secret-key-went-unnoticed.test.ts': processes,
}
