import fc from 'fast-check'
import { expect, test } from 'vitest'
import { post } from '../../src/db/ledger.ts'
import { postFacts } from '../../src/db/posting.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import type { LedgerFact, Wallet } from '../../src/domain/ledger.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import { asPoints, DEFAULT_SAR_PER_POINT, NO_POINTS, type Points } from '../../src/domain/points.ts'
import { insertFreshCustomers } from '../../src/features/customers/queries.ts'
import type { Movement } from '../../src/features/wallet/queries.ts'
import { createWalletService } from '../../src/features/wallet/service.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { testDatabase } from '../support/database.ts'
import { earningMerchants, freshPhone } from '../support/earnings.ts'

// Guarantee: for any history of a wallet and any period, opening balance plus movements equals the closing balance,
// even if
// the clock was set back in between; and the pages of the history lose and repeat nothing.

// The test posts facts without their orders and holds.
const database = testDatabase({ leaves: ['ledger differences'] })
const numRuns = process.env['NUQTA_TEST_LONG'] === '1' ? 2_000 : 60
const began_ms = Date.parse('2026-02-01T09:00:00Z')

const kinds = ['earn', 'hold', 'post', 'release', 'reverse', 'return', 'adjust'] as const
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    points: fc.integer({ min: 1, max: 1_000 }),
    /** Seconds since the previous step; negative if the clock is set back. */
    wait_s: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 100 }) },
      { weight: 1, arbitrary: fc.integer({ min: -500, max: -1 }) },
    ),
  }),
  { maxLength: 40 },
)
const cuts = fc.array(fc.integer({ min: -600, max: 4_100 }), { minLength: 2, maxLength: 6 })

interface Life {
  readonly key: { readonly program_id: number; readonly customer_id: Uuid }
  readonly wallet: Wallet
  /** The changes of the available points, without zeros. */
  readonly expected: readonly { readonly kind: string; readonly points: number; readonly at_ms: number }[]
}

async function live(
  merchant: Merchant,
  life: readonly { kind: string; points: number; wait_s: number }[],
): Promise<Life> {
  const { program_id, program } = merchant
  const value = DEFAULT_SAR_PER_POINT
  const customer_id = newUuid()
  let wallet: Wallet = { posted: NO_POINTS, held: NO_POINTS, version: 0 }
  let now_ms = began_ms
  const held: { readonly cause: Uuid; readonly points: Points }[] = []
  const expected: { kind: string; points: number; at_ms: number }[] = []
  await database.db.transaction(async (tx) => {
    const now = new Date(began_ms)
    void tx.run(insertFreshCustomers(program_id, now, [{ customer_id, phone: freshPhone(), status: 'active' }]))
    const newWallets = [{ account_id: customer_id, ...wallet }]
    post(tx, { program_id, now, transfers: [], entries: [], wallets: [], newWallets })
    for (const { kind, points, wait_s } of life) {
      now_ms += wait_s * 1000
      const whose = { wallet: customer_id, merchant: merchant.account_id, program: program.account_id }
      const hold = kind === 'post' || kind === 'release' ? held.pop() : undefined
      if ((kind === 'post' || kind === 'release') && hold === undefined) continue
      const of = hold ?? { cause: newUuid(), points: asPoints(points) }
      // Like a redemption: hold only available points.
      if (kind === 'hold' && of.points > wallet.posted - wallet.held) continue
      if (kind === 'hold') held.push(of)
      const fact = { kind, ...of, ...whose } as LedgerFact
      const at = { program_id, now: new Date(now_ms), order_uuid: null, newId: newUuid, values: { [kind]: value } }
      const before = wallet.posted - wallet.held
      wallet = postFacts(tx, { ...at, wallet: { account_id: customer_id, ...wallet }, facts: [fact] }).wallet
      const came = wallet.posted - wallet.held - before
      if (came !== 0) expected.push({ kind, points: came, at_ms: now_ms })
    }
  })
  return { key: { program_id, customer_id }, wallet, expected }
}

const sumOf = (movements: readonly Movement[]) => movements.reduce((sum, { points }) => sum + points, 0)
const told = ({ kind, points, at }: Movement) => ({ kind, points, at_ms: at.getTime() })

test(`any period of any wallet adds up, in ${numRuns} random lives`, { timeout: 3_600_000 }, async () => {
  const [merchant] = await earningMerchants(database.db, 1)
  if (merchant === undefined) throw new Error('no merchant was made')
  const { readStatement, readHistory, readWallet } = createWalletService(database.db, { now: () => new Date() })
  await fc.assert(
    fc.asyncProperty(steps, cuts, fc.integer({ min: 1, max: 7 }), async (life, at_s, limit) => {
      const { key, wallet, expected } = await live(merchant, life)
      const { program_id, customer_id } = key
      const spendable = wallet.posted - wallet.held
      expect(await readWallet(program_id, customer_id)).toMatchObject({ available: spendable, held: wallet.held })

      const history: Movement[] = []
      for (let before: number | null = null; ; ) {
        const page = await readHistory(program_id, customer_id, { before, limit })
        history.push(...page.movements)
        expect(page.movements.length).toBeLessThanOrEqual(limit)
        if (page.older === null) break
        before = page.older
      }
      expect(history.toReversed().map(told)).toEqual(expected)
      expect(history[0]?.balance_after ?? 0).toBe(spendable)

      const instants = at_s.sort((a, b) => a - b).map((s) => new Date(began_ms + s * 1000))
      let last: number | undefined
      for (const [index, to] of instants.entries()) {
        const from = index === 0 ? new Date(0) : (instants[index - 1] ?? to)
        const statement = await readStatement(program_id, customer_id, { from, to })
        if (statement === null) throw new Error('a statement of few movements was not given')
        expect(statement.opening + sumOf(statement.movements)).toBe(statement.closing)
        let balance: number = statement.opening
        for (const movement of statement.movements) {
          balance += movement.points
          expect(movement.balance_after).toBe(balance)
        }
        // Consecutive periods fit together.
        expect(statement.opening).toBe(last ?? 0)
        last = statement.closing
      }
      const whole = await readStatement(program_id, customer_id, { from: new Date(0), to: new Date(began_ms * 2) })
      expect(whole?.movements.map(told)).toEqual(expected)
      expect(whole?.closing).toBe(spendable)
    }),
    { numRuns },
  )
})
