import { expect, test } from 'vitest'
import { describeVerified, workersFor } from '../../src/cli/ledger.ts'

test('one of a kind is counted in the singular, and many with separators', () => {
  const counts = { transfers: 1, entries: 1, wallets: 1, differences: [] }
  expect(describeVerified(counts)).toBe('1 transfer, 1 entry, 1 wallet: no differences')
  const many = { ...counts, transfers: 1_200, entries: 2_400, wallets: 0 }
  expect(describeVerified(many)).toBe('1,200 transfers, 2,400 entries, 0 wallets: no differences')
})

test.each([
  [1, 1],
  [2, 1],
  [3, 2],
  [64, 2],
])('on %i processors it uses %i by default, so that one is left to the service', (processors, workers) => {
  expect(workersFor(processors)).toBe(workers)
})
