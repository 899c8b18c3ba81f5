// Test files by what they need, for the lists of .ci/citus.mjs and .ci/debian.mjs.
import { globSync, readFileSync } from 'node:fs'

/** The test files of these patterns that call one of the functions. */
export function filesWith(functions, patterns) {
  const call = new RegExp(`\\b(${functions})\\(`)
  return globSync(patterns).filter((path) => call.test(readFileSync(path, 'utf8')))
}

/** Prints `files` but those left out, and these with the reasons on stderr. */
export function print(place, files, leftOut) {
  const unknown = Object.keys(leftOut).filter((path) => !files.includes(path))
  if (unknown.length > 0) throw new Error(`left out, and not there: ${unknown.join(', ')}`)
  for (const [path, why] of Object.entries(leftOut)) console.error(`not on ${place}: ${path}, which ${why}`)
  const wanted = files.filter((path) => !(path in leftOut))
  console.log([...new Set(wanted)].sort().join('\n'))
}

/** Why files run on the embedded database only. */
const inputs = 'tries many inputs, which the service judges without its database'
const processes = 'is about processes, whose statements other files run'
export const browser = 'drives Chromium: a page is the same on every database'
const model = (path) => `runs the statements of ${path} hundreds of times`

/** Left out of both lists. */
export const everywhere = {
  'test/features/earning/inputs.test.ts': inputs,
  'test/features/orders/inputs.test.ts': inputs,
  'test/properties/checkout-model.test.ts': model('test/features/checkout/'),
  'test/properties/earning-model.test.ts': model('test/features/earning/races.test.ts'),
  'test/properties/order-refunds.test.ts': model('test/features/orders/refunds.test.ts'),
  'test/properties/wallet-statement.test.ts': model('test/journeys/wallet-statement.test.ts'),
  'test/regression/bodies-of-strangers-ended-the-process.test.ts': processes,
  'test/regression/callback-led-anywhere-under-our-name.test.ts': inputs,
  'test/regression/wrong-secret-key-went-unnoticed.test.ts': processes,
}
