import { beforeEach, expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { blockCustomer } from '../../src/features/people/block.ts'
import { purchase } from '../support/api.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone, walletOf } from '../support/earnings.ts'
import { codeIn, wordsOf } from '../support/shopper.ts'
import { signIn } from '../support/wallets.ts'

// A block counted for active customers alone. One who was invited still saw the points that waited, and was asked to join,
// to meet the block only then; the card's window said that the number had no wallet.

const database = testDatabase({ leaves: ['due messages'] })
const stage = checkoutStage(database)
let phone: Phone

beforeEach(async () => {
  const { program_id } = stage.shop.merchant
  await database.owner.run({
    text: "update program set activation = 'required' where program_id = $1",
    values: [program_id],
  })
  phone = freshPhone()
  const json = purchase({ phone_number: phone, total_price: 250, name: 'Noura' })
  expect((await stage.app.call('POST', '/api/v1/orders/earning', { key: stage.shop.private_key, json })).status).toBe(
    200,
  )
  const customer_id = (await walletOf(database.db, program_id, phone))?.customer_id as Uuid
  const by = { source: 'command', name: 'Sara' } as const
  await blockCustomer(database.db, { program_id, customer_id }, { reason: 'Stolen', by })
})

it('a customer who was blocked before joining sees in the wallet that it is blocked', async () => {
  const shown = wordsOf(await signIn(stage.shopper(), phone, `/wallet?program=${stage.shop.merchant.program_id}`))
  expect(shown).toContain('Your wallet is blocked')
  expect(shown).not.toContain('2,500')
})

it('a customer who was blocked before joining sees in the window of the card that the wallet is blocked', async () => {
  const me = stage.shopper()
  const asked = await me.submit(await me.open(`/widget/${stage.shop.public_key}/window`), 'phone', { phone })
  expect(wordsOf(await me.submit(asked, 'code', { code: codeIn(asked) }))).toContain('Your wallet is blocked')
})
