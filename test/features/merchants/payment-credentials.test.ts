import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPaymentProviders } from '../../../src/app/ports.ts'
import { explainPayment } from '../../../src/cli/merchant-payment.ts'
import type { PaymentSettings } from '../../../src/config/providers.ts'
import { type AccountProvider, readAccount } from '../../../src/domain/merchant.ts'
import { hasAccount, removeAccount, setAccount } from '../../../src/features/merchants/payment-credentials.ts'
import type { MerchantChanges } from '../../../src/features/merchants/queries.ts'
import { findMerchant, type MadeMerchant, setMerchant } from '../../../src/features/merchants/service.ts'
import { newUuid } from '../../../src/lib/ids.ts'
import { createSecretBox } from '../../../src/lib/secrets.ts'
import type { PaymentProviders } from '../../../src/providers/payment/port.ts'
import { type PayTabsStandIn, startPayTabs } from '../../providers/paytabs-stand-in.ts'
import { makeMerchant, makeProgram } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { TestClock } from '../../support/earnings.ts'
import { secret_key } from '../../support/secret-key.ts'

const database = testDatabase()
const secrets = createSecretBox(secret_key)
const own = { provider: 'paytabs', profile_id: '11111', server_key: 'own-server-key' } as const
const none: PaymentSettings = {
  paytabs: { url: undefined, account: undefined },
  moyasar: { url: undefined, account: undefined },
}
const configured: PaymentSettings = {
  ...none,
  paytabs: { url: undefined, account: { profile_id: '22222', server_key: 'the-deployments-key' } },
}

let shop: MadeMerchant
let neighbour: MadeMerchant
let standIn: PayTabsStandIn

beforeAll(async () => {
  const { program_id } = await makeProgram(database.db)
  shop = await makeMerchant(database.db, { program_id })
  neighbour = await makeMerchant(database.db, { program_id })
  standIn = await startPayTabs(11_111, own.server_key)
})
afterAll(() => standIn.close())

const set = (merchant: MadeMerchant, changes: MerchantChanges, payment?: PaymentSettings) =>
  findMerchant(database.db, String(merchant.merchant_id)).then((row) =>
    setMerchant(database.db, row, { environment: 'sandbox', now: new Date(), changes, payment }),
  )

const providersWith = (settings: PaymentSettings, environment: 'sandbox' | 'production' = 'sandbox') =>
  createPaymentProviders({
    ...{ db: database.db, clock: new TestClock('2026-02-01T09:00:00.000Z'), secrets, environment, settings },
    public_url: 'https://localhost:8443',
  })

/** Asks the provider of a merchant about a payment that nobody has. */
async function askOf(payments: PaymentProviders, merchant: MadeMerchant) {
  const provider = await payments.of(merchant, 'paytabs')
  return provider?.query({ program_id: merchant.program_id, payment_uuid: newUuid(), provider_reference: null })
}

describe('a merchant’s own credentials', () => {
  it('replace the deployment’s for this merchant only, until they are removed', async () => {
    const payments = providersWith({ ...configured, paytabs: { ...configured.paytabs, url: standIn.url } })
    const ask = (merchant: MadeMerchant) => askOf(payments, merchant)
    expect(await ask(shop)).toMatchObject({ kind: 'credentials' })
    const account = async () => (await payments.of(shop, 'paytabs'))?.account
    const before = await account()
    expect(before).toMatchObject({ own: false })
    await setAccount({ db: database.db, secrets }, shop, own)
    expect(await account()).toMatchObject({ own: true })
    expect((await account())?.id).not.toBe(before?.id)
    expect(await ask(shop)).toMatchObject({ kind: 'not_found' })
    expect(standIn.received.at(-1)?.headers.authorization).toBe(own.server_key)
    expect(await ask(neighbour)).toMatchObject({ kind: 'credentials' })
    expect(standIn.received.at(-1)?.headers.authorization).toBe('the-deployments-key')
    expect(await hasAccount(database.db, shop, 'paytabs')).toBe(true)
    expect(await removeAccount(database.db, shop, 'paytabs')).toBe(true)
    expect(await removeAccount(database.db, shop, 'paytabs')).toBe(false)
    expect(await ask(shop)).toMatchObject({ kind: 'credentials' })
  })

  it('are sealed: the row shows none of them, and opens only for its own merchant', async () => {
    await setAccount({ db: database.db, secrets }, shop, own)
    const [row] = await database.owner.run<{ text: string }>({
      text: `select encode(credentials, 'escape') as text from merchant_payment_account where merchant_id = $1`,
      values: [shop.merchant_id],
    })
    expect(row?.text).not.toContain(own.server_key)
    expect(row?.text).not.toContain(own.profile_id)
    await database.owner.run({
      text: `insert into merchant_payment_account select program_id, $2, provider, credentials, updated_at
        from merchant_payment_account where merchant_id = $1`,
      values: [shop.merchant_id, neighbour.merchant_id],
    })
    expect(await askOf(providersWith(none), neighbour)).toEqual({
      kind: 'credentials',
      detail: expect.stringContaining('belongs elsewhere'),
    })
    await removeAccount(database.db, neighbour, 'paytabs')
    await removeAccount(database.db, shop, 'paytabs')
  })

  it.each([
    ['paytabs', { profile_id: '1' }, { missing: ['server_key'] }],
    ['paytabs', { profile_id: '1', server_key: '' }, { missing: ['server_key'] }],
    ['paytabs', { profile_id: '1', server_key: 'with a space' }, { unusable: ['server_key'] }],
    ['paytabs', {}, { missing: ['profile_id', 'server_key'] }],
    [
      'moyasar',
      { server_key: 'sk', profile_id: '1' },
      { unknown: ['server_key', 'profile_id'], missing: ['secret_key', 'webhook_secret'] },
    ],
    [
      'moyasar',
      { secret_key: 'sk_live_very-secret', webhook_secret: 'x'.repeat(201) },
      { unusable: ['webhook_secret'] },
    ],
  ])('of %s that are not whole are refused by the names of their fields: %j', (provider, fields, mistakes) => {
    const refused = readAccount(provider as AccountProvider, fields)
    expect(refused).toEqual({ unknown: [], missing: [], unusable: [], ...mistakes })
    expect(JSON.stringify(refused)).not.toContain('very-secret')
  })
})

const sale_only = { failure: { errors: [{ field: 'flow', rule: 'sale_only' }] } }

describe('the payment provider of a merchant', () => {
  it('must have credentials: the refusal names the settings', async () => {
    const refused = set(neighbour, { payment_provider: 'paytabs' }, none)
    await expect(refused.catch(explainPayment(neighbour))).rejects.toThrow(
      `There are no credentials for paytabs: set NUQTA_PAYMENT_PAYTABS_PROFILE_ID and NUQTA_PAYMENT_PAYTABS_SERVER_KEY, ` +
        `or give the merchant its own with nuqta merchant payment ${neighbour.merchant_id} --provider paytabs --credentials FILE.`,
    )
    await expect(set(neighbour, { payment_provider: 'moyasar' }, configured)).rejects.toMatchObject({
      failure: { errors: [{ field: 'provider', rule: 'no_credentials', limit: 'moyasar' }] },
    })
    expect(await set(neighbour, { payment_provider: 'paytabs' }, configured)).toMatchObject({
      payment_provider: 'paytabs',
    })
    await set(neighbour, { payment_provider: 'sandbox' })
    await setAccount({ db: database.db, secrets }, neighbour, own)
    expect(await set(neighbour, { payment_provider: 'paytabs' }, none)).toMatchObject({ payment_provider: 'paytabs' })
  })

  it('can reserve money first, except Moyasar, whose page takes it at once', async () => {
    const keys = { provider: 'moyasar', secret_key: 'sk_test_x', webhook_secret: 'w' } as const
    await setAccount({ db: database.db, secrets }, shop, keys)
    const both = set(shop, { payment_provider: 'moyasar', payment_flow: 'two_step' })
    await expect(both).rejects.toMatchObject(sale_only)
    expect(await set(shop, { payment_provider: 'moyasar' })).toMatchObject({ payment_flow: 'sale' })
    await expect(set(shop, { payment_flow: 'two_step' })).rejects.toMatchObject(sale_only)
    const changed = await set(shop, { payment_provider: 'sandbox', payment_flow: 'two_step' })
    expect(changed).toMatchObject({ payment_provider: 'sandbox', payment_flow: 'two_step' })
    await expect(set(shop, { payment_provider: 'moyasar' })).rejects.toMatchObject(sale_only)
  })

  it('is never the sandbox in production', async () => {
    expect(await providersWith(none, 'production').of(shop, 'sandbox')).toBeUndefined()
    expect(await providersWith(none).of(shop, 'sandbox')).toMatchObject({ name: 'sandbox' })
    expect(await providersWith(none, 'production').of(shop, 'merchant')).toMatchObject({ name: 'merchant' })
  })
})
