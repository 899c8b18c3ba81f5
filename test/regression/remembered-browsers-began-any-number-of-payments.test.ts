import { expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { asPoints } from '../../src/domain/points.ts'
import { newSecretText } from '../../src/lib/ids.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { openedCheckout } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { usePayments } from '../support/payments.ts'

const database = testDatabase({ leaves: ['due payment tasks'] })
const stage = checkoutStage(database, { collector: 'sandbox' })

// A remembered browser confirms without a code. Its payments counted as those of somebody who had proven a number by one.
it('a remembered browser begins no more payments from one address than others without a code', async () => {
  const { services } = stage.app
  const { shop } = stage
  const { program_id } = shop.merchant
  const phone = await customerWith(database.db, shop.merchant, { points: 0 })
  const customer_id = (await walletOf(database.db, program_id, phone))?.customer_id as Uuid
  const cookie = await services.rememberedBrowsers.remember({
    ...{ program_id, phone, customer_id },
    ...{ device: null, cookie: undefined },
  })
  const client_address = '203.0.113.7'
  await usePayments(database.db, { ...shop.merchant, client_address }, 1)
  const confirm = async (): Promise<string> => {
    const { token } = await openedCheckout(services, shop)
    const browser = newSecretText()
    const view = await services.readCheckout(token, browser, cookie)
    if (view === null) throw new Error('the checkout is there')
    const choice = { points: asPoints(0), due_halalas: asHalalas(10_000) }
    return (await services.confirmCheckout({ view, token, browser, locale: 'en', client_address }, choice)).kind
  }
  expect([await confirm(), await confirm()]).toEqual(['payment', 'wait'])
})
