import Type, { type Static } from 'typebox'
import { refuseFields } from '../../domain/failures.ts'
import { type AccountProvider, accountFields, type PaymentAccount, readAccount } from '../../domain/merchant.ts'
import { paymentMethods, readPaymentMethods } from '../../domain/payment-method.ts'
import { instant, nullable, object, oneOf, optional, text } from '../../http/api/fields.ts'
import type { MerchantRequest } from '../../http/dashboard/route.ts'
import { checkVersion, sentVersion, versionField, withVersion } from '../../http/dashboard/version.ts'
import { type PaymentProviderName, paymentProviders } from '../../providers/payment/port.ts'
import type { MerchantSettingsServices } from './dashboard-settings.ts'
import type { MerchantSettings, PaymentState } from './settings.ts'

const max_credential = 200
const flows = ['sale', 'two_step'] as const

const payment = Type.Object(
  {
    provider: oneOf(paymentProviders),
    flow: oneOf(flows),
    providers: Type.Array(
      Type.Object({
        provider: oneOf(paymentProviders),
        fields: Type.Array(Type.String(), { description: 'What an account of it has; empty where it needs none.' }),
        flows: Type.Array(oneOf(flows)),
        own_credentials_since: nullable(instant()),
        deployment_credentials: Type.Boolean({ description: 'Whether whoever runs the service has an account there.' }),
      }),
      { description: 'Those that can be chosen.' },
    ),
    methods: Type.Array(oneOf(paymentMethods), { description: 'What the payment page takes: checkouts name it.' }),
    signed_checkouts: Type.Boolean(),
    version: versionField,
  },
  { title: 'PaymentSettings' },
)

function view({ merchant, accounts }: PaymentState, { environment, deployment_accounts }: MerchantSettings) {
  const choosable = paymentProviders.filter((name) => environment === 'sandbox' || name !== 'sandbox')
  return {
    provider: merchant.payment_provider,
    flow: merchant.payment_flow,
    providers: choosable.map((provider) => {
      const account = accountProvider(provider)
      return {
        provider,
        fields: account === undefined ? [] : accountFields[account],
        flows: provider === 'moyasar' ? (['sale'] as const) : flows,
        own_credentials_since: (account && accounts.get(account)?.toISOString()) ?? null,
        deployment_credentials: account !== undefined && deployment_accounts.includes(account),
      }
    }),
    methods: merchant.payment_methods,
    signed_checkouts: merchant.signed_checkouts,
  }
}

/** Whether checkouts are signed is switched at once, beside the form. */
function formOf({ signed_checkouts: _, ...form }: ReturnType<typeof view>) {
  return form
}

function viewVersioned(state: PaymentState, settings: MerchantSettings) {
  const shown = view(state, settings)
  return withVersion(shown, formOf(shown))
}

function accountProvider(name: PaymentProviderName): AccountProvider | undefined {
  return name === 'paytabs' || name === 'moyasar' ? name : undefined
}

export const readPaymentSettings = {
  tag: 'Settings',
  summary: 'Read who takes the money of checkouts',
  description: 'Credentials are never shown: only since when they are set.',
  data: payment,
  async handle({ merchant }: MerchantRequest, { merchantSettings }: MerchantSettingsServices) {
    return viewVersioned(await merchantSettings.readPayment(merchant), merchantSettings)
  },
} as const

const credential = () => optional(text({ max: max_credential }))

const change = object({
  version: sentVersion(),
  provider: oneOf(paymentProviders),
  flow: oneOf(flows),
  methods: optional(
    Type.Array(oneOf(paymentMethods), {
      maxItems: paymentMethods.length,
      description: 'All of them: they replace the earlier ones. Without it, what is stored stays.',
    }),
  ),
  credentials: optional(
    object(
      {
        profile_id: credential(),
        server_key: credential(),
        secret_key: credential(),
        webhook_secret: credential(),
      },
      { description: 'All fields of the account at the provider. Without it, what is stored stays.' },
    ),
  ),
  remove_credentials: optional(oneOf(['paytabs', 'moyasar'], { description: 'Deletes those of this provider.' })),
})

export const changePaymentSettings = {
  tag: 'Settings',
  summary: 'Change who takes the money of checkouts',
  body: change,
  data: payment,
  failures: ['stale'],
  async handle(
    { merchant, body, actor, once }: MerchantRequest<Static<typeof change>>,
    { merchantSettings }: MerchantSettingsServices,
  ) {
    const { provider, flow } = body
    const methods = body.methods && readPaymentMethods(body.methods)
    const check = (was: PaymentState) => {
      const shown = view(was, merchantSettings)
      checkVersion(body.version, shown, formOf(shown))
    }
    const changes = { provider, flow, methods, account: accountOf(body), removed: body.remove_credentials }
    const keep = once.keeping(() => ({}))
    const changed = await merchantSettings.changePayment(merchant, changes, { by: actor, check, keep })
    return viewVersioned(changed, merchantSettings)
  },
} as const

function accountOf({ provider, credentials }: Static<typeof change>): PaymentAccount | undefined {
  const named = accountProvider(provider)
  if (credentials === undefined || named === undefined) return undefined
  const account = readAccount(named, credentials)
  if (!('missing' in account)) return account
  const { unknown, missing, unusable } = account
  return refuseFields(
    ...missing.map((name) => ({ field: `credentials.${name}`, rule: 'required' }) as const),
    ...unusable.map((name) => ({ field: `credentials.${name}`, rule: 'printable' }) as const),
    ...unknown.map(
      (name) => ({ field: `credentials.${name}`, rule: 'in', limit: accountFields[named].join(', ') }) as const,
    ),
  )
}

const asked = object({ provider: optional(oneOf(paymentProviders, { description: 'The chosen one without it.' })) })

/** Why a provider did not accept the question. */
const outcomes = ['works', 'not_asked', 'no_credentials', 'credentials', 'refused', 'unreachable'] as const

export const testPaymentSettings = {
  tag: 'Settings',
  summary: 'Ask the payment provider whether it accepts the credentials',
  description: 'Asks for a payment that cannot exist: nothing is changed and no money moves.',
  body: asked,
  body_optional: true,
  failures: ['too_many_tests'],
  data: Type.Object({
    provider: oneOf(paymentProviders),
    works: Type.Boolean(),
    outcome: oneOf(outcomes, {
      description:
        '`not_asked`: there is nobody to ask. `credentials`: it does not accept them. `unreachable`: no readable answer came.',
    }),
    detail: nullable(Type.String(), { description: 'What the provider said, without secrets.' }),
  }),
  async handle(
    { merchant, body }: MerchantRequest<Static<typeof asked>>,
    { merchantSettings }: MerchantSettingsServices,
  ) {
    const provider = body.provider ?? (await merchantSettings.read(merchant)).payment_provider
    const checked = await merchantSettings.testPayment(merchant, provider)
    if (checked === undefined) return { provider, works: false, outcome: 'no_credentials', detail: null }
    if (checked.kind === 'accepted') return { provider, works: true, outcome: 'works', detail: null }
    if (checked.kind === 'nobody_to_ask') return { provider, works: true, outcome: 'not_asked', detail: null }
    const outcome =
      checked.kind === 'credentials' ? 'credentials' : checked.kind === 'unknown' ? 'unreachable' : 'refused'
    return { provider, works: false, outcome, detail: checked.detail }
  },
} as const
