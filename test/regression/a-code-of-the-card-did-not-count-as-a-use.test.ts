import { expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { day_s } from '../../src/domain/spans.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { codeIn } from '../support/shopper.ts'

const database = testDatabase()
const stage = checkoutStage(database)

// Remembered browsers end 90 days after the last right code for their number. A code that the card had asked for was none.
it('a right code in the window of the card keeps the browsers of its number remembered', async () => {
  const { services, clock } = stage.app
  const { program_id } = stage.shop.merchant
  const phone = await customerWith(database.db, stage.shop.merchant, { points: 100 })
  const customer_id = (await walletOf(database.db, program_id, phone))?.customer_id as Uuid
  await services.rememberedBrowsers.remember({ program_id, phone, customer_id, device: null, cookie: undefined })
  // Used once a month.
  await database.owner.run({
    text: 'update remembered_browser set expires_at = $2 where program_id = $1',
    values: [program_id, new Date(clock.now().getTime() + 120 * day_s * 1000)],
  })
  clock.advance(80 * day_s)
  const me = stage.shopper()
  const asked = await me.submit(await me.open(`/widget/${stage.shop.public_key}/window`), 'phone', { phone })
  const shown = await me.submit(asked, 'code', { code: codeIn(asked) })
  expect(shown.text).toContain('100')
  clock.advance(20 * day_s)
  expect(await services.rememberedBrowsers.list(program_id, customer_id)).toHaveLength(1)
})
