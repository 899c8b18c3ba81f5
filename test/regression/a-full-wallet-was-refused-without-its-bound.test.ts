import { expect, it } from 'vitest'
import { asPoints, MAX_WALLET_POINTS } from '../../src/domain/points.ts'
import { adjustWallet } from '../../src/features/wallet/adjust.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'

// The dashboard refused an adjustment of a full wallet, which "would hold more than  points", and a merge with a number
// without separators.

const database = testDatabase({ leaves: ['due messages'] })
const stage = checkoutStage(database)

it('an adjustment and a merge that pass the bound of a wallet name it', async () => {
  const { merchant } = stage.shop
  const { program_id, merchant_id } = merchant
  const [full, other] = [
    await customerWith(database.db, merchant, { points: 100 }),
    await customerWith(database.db, merchant, { points: 100 }),
  ]
  const points = asPoints(MAX_WALLET_POINTS - 100)
  const of = { program: merchant.program, phone: full, typed: full, points, reason: 'A gift' }
  await adjustWallet(database.db, stage.app.clock, of)
  const idOf = async (phone: string) => (await walletOf(database.db, program_id, phone))?.customer_id
  const operator = await stage.person('operator')
  const refused = (field: string, words: string) => ({
    status: 422,
    body: {
      errors: {
        [field]: [
          `The ${words} cannot be accepted: the customer's wallet would hold more than 100,000,000,000,000 points.`,
        ],
      },
    },
  })
  const customer = `/merchants/${merchant_id}/customers/${await idOf(full)}`
  expect(await operator.call('POST', `${customer}/adjustments`, { points: 1, reason: 'A gift' })).toMatchObject(
    refused('points', 'points'),
  )
  const merging = `/programs/${program_id}/customers/${await idOf(other)}/merge`
  expect(await operator.call('POST', merging, { phone: full })).toMatchObject(refused('phone', 'phone'))
})
