import { beforeAll, expect, test } from 'vitest'
import { newUuid } from '../../src/lib/ids.ts'
import { createMoyasar } from '../../src/providers/payment/moyasar.ts'
import { createPayTabs } from '../../src/providers/payment/paytabs.ts'
import type { PaymentProvider } from '../../src/providers/payment/port.ts'
import { type Scripted, testStandIn } from '../providers/stand-in.ts'

const standIn = testStandIn()
let providers: Readonly<Record<'paytabs' | 'moyasar', PaymentProvider>>

beforeAll(() => {
  const { url } = standIn()
  providers = {
    paytabs: createPayTabs({ profile_id: '1', server_key: 'a server key', url }),
    moyasar: createMoyasar({ secret_key: 'a secret key', webhook_secret: 'a webhook secret', url }),
  }
})

async function answered(name: keyof typeof providers, answer: Scripted): Promise<string> {
  standIn().answer = answer
  const record = await providers[name].query({ program_id: 1, payment_uuid: newUuid(), provider_reference: 'TST1' })
  return record.kind
}

// What went wrong: any 404 in JSON counted as the provider's answer "no such payment", even a gateway's "no
// route". An hour after payment, such orders are reversed for good: docs/spec/payments.md#automatic-reversal.
test.each(['paytabs', 'moyasar'] as const)(
  '%s: the 404 of a gateway does not mean that the payment is unknown',
  async (name) => {
    for (const body of [{ message: 'no Route matched with those values' }, { message: 'Not Found' }, [], {}])
      expect(await answered(name, { status: 404, body }), JSON.stringify(body)).toBe('unknown')
  },
)

test('the provider’s own answer does mean that the payment is unknown', async () => {
  const own = { type: 'record_not_found', message: 'Object not found', errors: null }
  expect(await answered('moyasar', { status: 404, body: own })).toBe('not_found')
  const error = { code: 113, message: 'Transaction not found', trace: 'PMNT0101.00000000.00000000' }
  expect(await answered('paytabs', { status: 404, body: error })).toBe('not_found')
  expect(await answered('paytabs', { body: error })).toBe('not_found')
})
