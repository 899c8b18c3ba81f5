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
  'cli/reconcile',
  'journeys/checkout-identify',
  'journeys/checkout-language',
  'journeys/checkout-over',
  'journeys/checkout-pay',
  'journeys/codes',
  'journeys/described-examples',
  'journeys/payment-process',
  'journeys/wallet-history',
  'journeys/wallet-session',
  'journeys/wallet-sign-in',
  'pages/card',
  'regression/a-card-greeted-readers-of-arabic-in-english',
  'regression/a-code-of-the-card-did-not-count-as-a-use',
  'regression/a-full-wallet-answered-500',
  'regression/a-key-answered-somebody-else',
  'regression/a-limit-left-no-way-to-pay',
  'regression/a-payment-of-the-last-moment-was-kept',
  'regression/a-proposal-of-nobody-was-current',
  'regression/a-proposal-outlived-its-proposer',
  'regression/a-refunded-order-was-answered-as-settled',
  'regression/a-refused-capture-held-money-for-nothing',
  'regression/a-refused-payment-task-was-counted-for-ever',
  'regression/a-removed-account-reversed-paid-orders',
  'regression/a-report-of-late-money-was-taken-as-heard',
  'regression/a-settlement-did-not-count-what-it-billed',
  'regression/a-suspended-merchant-gave-points',
  'regression/an-abandoned-page-raised-an-alarm',
  'regression/an-erased-customer-earned-points',
  'regression/an-expired-payment-forgot-for-whom-to-earn',
  'regression/an-old-refund-was-refused-before-its-capture-showed',
  'regression/an-order-paid-at-the-store-was-said-to-be-paid-online',
  'regression/callback-led-back-to-our-own-page',
  'regression/codes-were-counted-by-program',
  'regression/customers-signed-in-to-default',
  'regression/everybody-read-the-mails-of-a-sandbox',
  'regression/expired-checkouts-kept-customers-from-erasure',
  'regression/forged-checkout-was-approved',
  'regression/joining-promised-a-wallet-to-any-number',
  'regression/large-movements-left-no-statement',
  'regression/large-quantities-ran-together',
  'regression/long-orders-froze-their-page',
  'regression/new-parameters-refused-the-second-factor',
  'regression/odd-fields-of-the-dashboard-answered-500',
  'regression/one-signature-opened-any-number',
  'regression/open-invitations-filled-a-table',
  'regression/points-were-taken-for-nothing',
  'regression/receipts-told-a-balance-that-was-not-there',
  'regression/refused-codes-filled-a-table',
  'regression/remembered-browsers-began-any-number-of-payments',
  'regression/store-told-a-name-to-another-phone',
  'regression/strangers-drove-the-provider',
  'regression/strangers-locked-a-customer-out',
  'regression/tests-of-payment-drove-the-provider',
  'regression/two-points-had-one-word-in-every-sentence',
  'regression/waiting-earnings-had-no-bound',
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
  'test/regression/a-paused-reader-of-the-log-held-a-stop.test.ts': processes,
  'test/regression/a-taken-port-lost-the-first-link.test.ts': processes,
  'test/regression/bodies-of-strangers-ended-the-process.test.ts': processes,
  'test/regression/callback-led-anywhere-under-our-name.test.ts': inputs,
  'test/regression/wrong-secret-key-went-unnoticed.test.ts': processes,
}
