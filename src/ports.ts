import type { Environment } from './config/config.ts'
import type { PaymentSettings } from './config/providers.ts'
import type { Database } from './db/pool.ts'
import { createFindAccount, type FindAccount } from './features/merchants/payment-credentials.ts'
import { createSandboxStore } from './features/payments/sandbox.ts'
import type { Clock } from './lib/clock.ts'
import type { SecretBox } from './lib/secrets.ts'
import { merchantPayments } from './providers/payment/merchant.ts'
import { createMoyasar } from './providers/payment/moyasar.ts'
import { createPayTabs } from './providers/payment/paytabs.ts'
import type { PaymentOwner, PaymentProvider, PaymentProviders } from './providers/payment/port.ts'
import { createSandboxPayments } from './providers/payment/sandbox.ts'

export interface PaymentProviderParts {
  readonly db: Database
  readonly clock: Clock
  readonly secrets: SecretBox
  readonly environment: Environment
  /** Without a trailing slash. */
  readonly public_url: string
  /** The deployment's own credentials. */
  readonly settings: PaymentSettings
}

/** Who can be asked for money: the sandbox's provider in a sandbox alone, and others with a merchant's credentials or ours. */
export function createPaymentProviders(parts: PaymentProviderParts): PaymentProviders {
  const { db, clock, environment, public_url, settings } = parts
  const findAccount = createFindAccount(parts)
  const sandbox =
    environment === 'sandbox' ? createSandboxPayments(createSandboxStore({ db, clock }), public_url) : undefined
  return {
    async of(owner, name) {
      if (name === 'merchant') return merchantPayments
      if (name === 'sandbox') return sandbox
      return name === 'paytabs' ? payTabsOf(owner, findAccount, settings) : moyasarOf(owner, findAccount, settings)
    },
  }
}

async function payTabsOf(
  owner: PaymentOwner,
  findAccount: FindAccount,
  { paytabs: { url, account } }: PaymentSettings,
): Promise<PaymentProvider | undefined> {
  const own = await findAccount(owner, 'paytabs')
  const used = own?.provider === 'paytabs' ? own : account
  return used && createPayTabs({ ...used, url })
}

async function moyasarOf(
  owner: PaymentOwner,
  findAccount: FindAccount,
  { moyasar: { url, account } }: PaymentSettings,
): Promise<PaymentProvider | undefined> {
  const own = await findAccount(owner, 'moyasar')
  const used = own?.provider === 'moyasar' ? own : account
  return used && createMoyasar({ ...used, url })
}
