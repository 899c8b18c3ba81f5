import type { Environment } from '../../config/config.ts'
import type { PaymentSettings } from '../../config/providers.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { DomainError } from '../../domain/failures.ts'
import { testLimits } from '../../domain/limit.ts'
import type { AccountProvider, MerchantKey, PaymentAccount } from '../../domain/merchant.ts'
import type { PaymentMethod } from '../../domain/payment-method.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import type { PaymentAccountChecked, PaymentProviderName, PaymentProviders } from '../../providers/payment/port.ts'
import type { Limits } from '../limits/service.ts'
import { admitTest } from '../limits/service.ts'
import { type Brand, type BrandChange, createReadBrand, setBrand } from './brand.ts'
import { type KeyPair, regenerateKeys, type WhichKeys } from './keys.ts'
import { deleteOwnAccount, listAccounts, writeAccount } from './payment-credentials.ts'
import { findKeyDates, type KeyDates, type MerchantChanges, type MerchantRow } from './queries.ts'
import { findMerchantById, setMerchant } from './service.ts'

/** What the merchant's own staff can read and change. */

/** A merchant's payment settings: who takes the money, and since when it has credentials of its own. */
export interface PaymentState {
  readonly merchant: MerchantRow
  readonly accounts: ReadonlyMap<AccountProvider, Date>
}

export interface PaymentChange {
  readonly provider: PaymentProviderName
  readonly flow: 'sale' | 'two_step'
  /** Undefined keeps what is stored. */
  readonly methods: readonly PaymentMethod[] | undefined
  /** Undefined keeps what is stored. */
  readonly account: PaymentAccount | undefined
  /** Whose credentials are deleted. */
  readonly removed: AccountProvider | undefined
}

interface Changing<State> {
  readonly by: Actor
  /** Runs under the merchant's lock, with the state as it is; throws to refuse. */
  readonly check: (was: State) => void
}

export interface MerchantSettings {
  readonly environment: Environment
  /** The providers for which the deployment has credentials. */
  readonly deployment_accounts: readonly AccountProvider[]
  read(owner: MerchantKey): Promise<MerchantRow>
  change(owner: MerchantKey, changes: MerchantChanges, how: Changing<MerchantRow>): Promise<MerchantRow>
  readPayment(owner: MerchantKey): Promise<PaymentState>
  changePayment(
    owner: MerchantKey,
    change: PaymentChange,
    how: Changing<PaymentState> & { readonly keep?: BeforeCommit<undefined> | undefined },
  ): Promise<PaymentState>
  /**
   * Asks a merchant's provider whether it accepts the credentials; undefined without credentials.
   * @throws DomainError `too_many_tests`
   */
  testPayment(owner: MerchantKey, provider: PaymentProviderName): Promise<PaymentAccountChecked | undefined>
  readKeys(owner: MerchantKey): Promise<KeyDates>
  /** @throws DomainError `merchant_suspended`: its keys change when the suspension is lifted, or by a command */
  switchKeys(owner: MerchantKey, status: boolean, by: Actor): Promise<KeyDates>
  regenerateKeys(
    owner: MerchantKey,
    how: { readonly which: WhichKeys; readonly by: Actor; readonly keep?: BeforeCommit<KeyPair> | undefined },
  ): Promise<KeyPair>
  readBrand(owner: MerchantKey): Promise<Brand>
  changeBrand(owner: MerchantKey, change: BrandChange, how: Changing<Brand>): Promise<Brand>
}

export interface MerchantSettingsParts {
  readonly db: Database
  readonly clock: Clock
  readonly environment: Environment
  readonly secrets: SecretBox
  readonly payments: PaymentProviders
  readonly limits: Limits
  /** The deployment's own credentials. */
  readonly payment?: PaymentSettings | undefined
  /** A sandbox keeps keys for its developers in a file. */
  readonly onKeysReplaced?: ((before: string, pair: KeyPair) => Promise<void>) | undefined
}

export function createMerchantSettings(parts: MerchantSettingsParts): MerchantSettings {
  const { db, clock, environment, secrets, payments, payment } = parts
  const place = { environment, payment }
  const paymentOf = async (source: Queryable, merchant: MerchantRow) => ({
    merchant,
    accounts: await listAccounts(source, merchant),
  })
  const readKeys = async (owner: MerchantKey) => present(await db.one(findKeyDates(owner)))
  return {
    environment,
    deployment_accounts: (['paytabs', 'moyasar'] as const).filter((name) => payment?.[name].account !== undefined),
    read: (owner) => findMerchantById(db, owner.merchant_id),
    change: (owner, changes, { by, check }) =>
      setMerchant(db, owner, { ...place, changes, by, now: clock.now(), before: async (_, was) => check(was) }),
    readPayment: async (owner) => paymentOf(db, await findMerchantById(db, owner.merchant_id)),
    async changePayment(owner, { provider, flow, methods, account, removed }, { by, check, keep }) {
      const named = methods === undefined ? {} : { payment_methods: methods }
      const changes = { payment_provider: provider, payment_flow: flow, ...named }
      const changed = await setMerchant(db, owner, {
        ...{ ...place, changes, by, now: clock.now() },
        async before(tx, was) {
          check(await paymentOf(tx, was))
          if (removed !== undefined) await deleteOwnAccount(tx, owner, { provider: removed, by })
          if (account !== undefined) await writeAccount(tx, { secrets, by }, owner, account)
          await keep?.(tx, undefined)
        },
      })
      return paymentOf(db, changed)
    },
    async testPayment(owner, name) {
      const provider = await payments.of(owner, name)
      if (provider !== undefined) await admitTest(parts.limits, testLimits.payment, owner)
      return provider?.checkAccount()
    },
    readKeys,
    async switchKeys(owner, status, by) {
      const before = async (_: unknown, was: MerchantRow) => {
        if (status && was.suspended_at !== null) throw new DomainError({ kind: 'merchant_suspended' })
      }
      await setMerchant(db, owner, { ...place, changes: {}, key_status: status, by, now: clock.now(), before })
      return readKeys(owner)
    },
    async regenerateKeys(owner, how) {
      const { public_key } = await readKeys(owner)
      const pair = await regenerateKeys(db, owner, { environment, now: clock.now(), ...how })
      await parts.onKeysReplaced?.(public_key, pair)
      return pair
    },
    readBrand: async (owner) => present(await createReadBrand(db)(owner)),
    changeBrand: (owner, change, { by, check }) => setBrand(db, owner, { ...change, by, before: check }, clock.now()),
  }
}

function present<T>(row: T | null | undefined): T {
  if (row === null || row === undefined) throw new Error('a merchant has disappeared')
  return row
}
