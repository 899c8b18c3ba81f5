import { beforeAll, expect, test } from 'vitest'
import { asHalalas } from '../../src/domain/money.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { createMoyasar } from '../../src/providers/payment/moyasar.ts'
import { createPayTabs } from '../../src/providers/payment/paytabs.ts'
import type { PaymentProvider } from '../../src/providers/payment/port.ts'
import { testStandIn } from '../providers/stand-in.ts'

const standIn = testStandIn()
let providers: readonly PaymentProvider[]

beforeAll(() => {
  const { url } = standIn()
  providers = [
    createPayTabs({ profile_id: '1', server_key: 'a server key', url }),
    createMoyasar({ secret_key: 'a secret key', webhook_secret: 'a webhook secret', url }),
  ]
})

/** How each provider treats a payment page at `address`. */
async function pagesAt(address: string) {
  standIn().answer = { body: { tran_ref: 'TST1', redirect_url: address, id: 'inv1', url: address } }
  const request = {
    program_id: 1,
    payment_uuid: newUuid(),
    amount_halalas: asHalalas(500),
    description: 'Order 1',
    kind: 'sale',
    locale: 'en',
    return_url: 'https://pay.example.com/checkout/t/return',
    callback_url: 'https://pay.example.com/payments/x',
  } as const
  return Promise.all(providers.map((provider) => provider.create(request)))
}

// What went wrong: the service sent the customer to any http address from a provider. The browser then sent
// the payment in clear text, or the credentials in the address.
test.each([
  'http://secure.paytabs.sa/payment/wr/1',
  'http://localhost.example.com/pay',
  'http://127.0.0.1.example.com/pay',
  'https://secure.paytabs.sa@example.com/pay',
  'https://:secret@example.com/pay',
  'javascript:alert(1)',
  'data:text/html,pay',
  '//example.com/pay',
  'pay',
  '',
])('a customer is not sent to %s', async (address) => {
  for (const page of await pagesAt(address)) expect(page).toMatchObject({ kind: 'unknown' })
})

test.each(['https://secure.paytabs.sa/payment/wr/1?x=1', 'http://127.0.0.1:8080/pay', 'http://[::1]:8080/pay'])(
  'a customer is sent to %s',
  async (url) => {
    for (const page of await pagesAt(url)) expect(page).toMatchObject({ kind: 'page', url })
  },
)
