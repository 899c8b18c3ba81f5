import { expect, it } from 'vitest'
import { app_noon, oneShop, servicesOn } from '../support/app.ts'
import { BookedProvider } from '../support/booked-provider.ts'
import { confirm, paymentsOf, provenCheckout, resume } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { providersOf } from '../support/payments.ts'
import { waitFor } from '../support/wait.ts'

// Two tabs paid again after a decline. The second asked the provider about the payment that the first had just begun, before the
// provider had heard of it. Then it took that payment for lost, cancelled it, and began another one.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })

it('goes on with the payment that another tab has begun, though its provider did not know it yet', async () => {
  const provider = new BookedProvider()
  const services = servicesOn(database.db, {
    clock: new TestClock(app_noon),
    payments: providersOf({ sandbox: provider, merchant: provider }),
  })
  const shop = await oneShop(database.db)
  const checkout = await provenCheckout(database.db, services, shop, { points: 1_000 })
  await confirm(services, checkout, { points: 500 })
  const payments = () => paymentsOf(database.db, checkout.order_uuid)
  const [declined] = await payments()
  if (declined === undefined) throw new Error('no payment was begun')
  provider.arrive(declined.payment_uuid, 'failed')

  const create = Promise.withResolvers<void>()
  provider.meanwhile = (operation) => (operation === 'create' ? create.promise : Promise.resolve())
  const first = resume(services, checkout)
  await waitFor('the first tab to begin a payment', async () => (await payments()).length === 2)
  const answers: string[] = []
  const query = provider.query.bind(provider)
  provider.query = async (asked) => {
    const answer = await query(asked)
    answers.push(answer.kind)
    // The page of the first tab is made before the second one reads on.
    create.resolve()
    await first
    return answer
  }
  const outcomes = await Promise.all([first, resume(services, checkout)])
  expect(answers).toEqual(['not_found'])
  expect(outcomes[1]).toEqual(outcomes[0])
  expect((await payments()).map(({ state }) => state)).toEqual(['failed', 'created'])
})
