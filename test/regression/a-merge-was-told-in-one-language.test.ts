import { expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { mergeCustomers } from '../../src/features/people/merge.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { wordsOf } from '../support/shopper.ts'
import { agreed, signedIn } from '../support/wallets.ts'

const database = testDatabase()
const stage = checkoutStage(database)

// The movement keeps the text in the language of the program, and the wallet showed it to readers of the other one as well.
it('the movement of a merge is shown in the reader’s language', async () => {
  const { program_id } = stage.shop.merchant
  const { services, clock } = stage.app
  const [from_phone, into_phone] = [
    await customerWith(database.db, stage.shop.merchant, { points: 40 }),
    await customerWith(database.db, stage.shop.merchant, { points: 5 }),
  ]
  const from = (await walletOf(database.db, program_id, from_phone))?.customer_id as Uuid
  const by = { source: 'command', name: 'Sara' } as const
  await mergeCustomers({ db: database.db, clock }, { program_id, from, into_phone, locale: 'en', by })
  await agreed(database, program_id, into_phone)
  const shown = async (locale: 'ar' | 'en') => {
    const me = await signedIn(services, stage.shopper(locale), { program_id, phone: into_phone })
    return wordsOf(await me.open(`/wallet?program=${program_id}`))
  }
  expect(await shown('en')).toContain('From an earlier number')
  expect(await shown('ar')).toContain('من رقم سابق')
  expect(await shown('ar')).not.toContain('From an earlier number')
})
