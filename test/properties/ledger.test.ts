import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Uuid, uuidV7 } from '../../src/domain/ids.ts'
import { applyEntries, availablePoints, type Entry, type LedgerFact, transferOf } from '../../src/domain/ledger.ts'
import { asPoints } from '../../src/domain/points.ts'

const wallet = uuid(1)
const merchant = uuid(2)
const program = uuid(3)

type Step = readonly [kind: LedgerFact['kind'], points: number]

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(
    fc.constantFrom<LedgerFact['kind'][]>('earn', 'hold', 'post', 'release', 'reverse', 'return', 'adjust'),
    fc.integer({ min: 0, max: 1_000_000 }),
  ),
  { maxLength: 40 },
)

test('for any facts, entries sum to 0, the wallet is the sum of its entries, and versions have no gaps', () => {
  fc.assert(
    fc.property(steps, (history) => {
      const entries = entriesOf(history)
      expect(sum(entries)).toBe(0)
      const applied = applyEntries({ posted: asPoints(0), held: asPoints(0), version: 0 }, entries)
      const own = applied.entries.filter((entry) => entry.account.kind === 'customer')
      const held = own.filter((entry) => entry.bucket === 'held')
      expect(applied.wallet).toEqual({ posted: sum(own), held: sum(held), version: own.length })
      expect(own.map((entry) => entry.account_version)).toEqual(own.map((_, index) => index + 1))
    }),
    { numRuns: 1_000 },
  )
})

test('the last entry of each bucket has its balance', () => {
  fc.assert(
    fc.property(steps, (history) => {
      const applied = applyEntries({ posted: asPoints(0), held: asPoints(0), version: 0 }, entriesOf(history))
      const own = applied.entries.filter((entry) => entry.account.kind === 'customer')
      const last = (bucket: string) => own.findLast((entry) => entry.bucket === bucket)?.balance_after ?? 0
      expect(last('available')).toBe(availablePoints(applied.wallet))
      expect(last('held')).toBe(applied.wallet.held)
    }),
    { numRuns: 1_000 },
  )
})

/** The entries of a random history that never posts or releases more than is held. */
function entriesOf(history: readonly Step[]): Entry[] {
  let held = 0
  return history.flatMap(([kind, wanted], index) => {
    const ends = kind === 'post' || kind === 'release'
    const points = ends ? Math.min(wanted, held) : wanted
    if (kind === 'hold') held += points
    if (ends) held -= points
    const fact: LedgerFact = { kind, cause: uuid(index), points: asPoints(points), wallet, merchant, program }
    return [...(transferOf(fact)?.entries ?? [])]
  })
}

function sum(entries: readonly Entry[]): number {
  return entries.reduce((total, entry) => total + entry.amount, 0)
}

function uuid(number: number): Uuid {
  return uuidV7(number, new Uint8Array(16))
}
