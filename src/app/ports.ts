import type { Config, Environment } from '../config/config.ts'
import type { PaymentSettings, SmsSettings, TranslationSettings } from '../config/providers.ts'
import type { Database } from '../db/pool.ts'
import { logOddPayment } from '../features/checkout/jobs.ts'
import type { HostedCheckoutParts } from '../features/checkout/services.ts'
import { createFindAccount, type FindAccount } from '../features/merchants/payment-credentials.ts'
import { createSandboxStore } from '../features/payments/sandbox.ts'
import { createKeepMail } from '../features/staff/shown-mails.ts'
import type { Clock } from '../lib/clock.ts'
import { type SecretBox, SecretError } from '../lib/secrets.ts'
import { createSystemResolve, type Resolve } from '../net/resolve.ts'
import type { Log } from '../observability/log.ts'
import type { MailSender } from '../providers/mail/port.ts'
import { createSandboxMail } from '../providers/mail/sandbox.ts'
import { accountId } from '../providers/payment/account.ts'
import { merchantPayments } from '../providers/payment/merchant.ts'
import { createMoyasar } from '../providers/payment/moyasar.ts'
import { createPayTabs } from '../providers/payment/paytabs.ts'
import type { PaymentOwner, PaymentProvider, PaymentProviders } from '../providers/payment/port.ts'
import { createSandboxPayments } from '../providers/payment/sandbox.ts'
import { unopenedPayments } from '../providers/payment/unopened.ts'
import type { SmsProblem, SmsSender } from '../providers/sms/port.ts'
import { sandboxSms } from '../providers/sms/sandbox.ts'
import { createTaqnyat } from '../providers/sms/taqnyat.ts'
import { createUnifonic } from '../providers/sms/unifonic.ts'
import { createGoogleTranslate } from '../providers/translation/google.ts'
import { createLibreTranslate } from '../providers/translation/libretranslate.ts'
import type { Translator } from '../providers/translation/port.ts'

/** Services outside of this process, and callbacks for what goes wrong with them. */
export interface Ports {
  readonly webhook: { readonly allow_loopback: boolean; readonly resolve: Resolve }
  readonly payments: PaymentProviders
  readonly translator: Translator | undefined
  readonly sms: SmsSender
  /** Undefined without a mail server: a sandbox then shows its mails. */
  readonly mail: MailSender | undefined
  /** Called when a payment is not of the amount asked for; it is paid back. */
  readonly onOddPayment?: HostedCheckoutParts['onOddPayment']
  /** Called when a code was not sent, or may not have been. */
  readonly onUnsent?: (problem: SmsProblem) => void
  /** Called when a mail of the dashboard was not sent; the reason names no address. */
  readonly onMailUnsent?: (reason: string) => void
  /** Called when a label was copied because it could not be translated. */
  readonly onUntranslated?: (reason: string) => void
  /** Called when an answer was sent and could not be stored for its Idempotency-Key. */
  readonly onAnswerNotStored?: (error: unknown) => void
}

/** Makes the ports of a process that serves the API. What goes wrong with them is logged. */
export async function createPorts(
  { webhook, translation, sms, mail }: Config,
  {
    payments,
    smsSender,
    log,
  }: { readonly payments: PaymentProviders; readonly smsSender: SmsSender; readonly log: Log },
): Promise<Ports> {
  return {
    webhook: { ...webhook, resolve: createSystemResolve() },
    payments,
    translator: createTranslator(translation),
    sms: smsSender,
    mail: mail === undefined ? undefined : await createMailSender(mail),
    onMailUnsent: (reason) => log.warn({ reason }, 'a mail of the dashboard was not sent'),
    // The log redacts `detail`, because database errors quote rows in it: log it as `reason`.
    onUnsent: ({ kind, detail }) =>
      log.warn({ provider: sms.provider, outcome: kind, reason: detail }, 'a code may not have been sent'),
    onOddPayment: logOddPayment(log),
    onUntranslated: (reason) => log.warn({ provider: translation.provider, reason }, 'label not translated: copied'),
    onAnswerNotStored: (error) =>
      log.warn({ err: error }, 'an answer was sent and could not be stored for its Idempotency-Key'),
  }
}

export function createSmsSender(settings: SmsSettings): SmsSender {
  if (settings.provider === 'taqnyat') return createTaqnyat(settings)
  return settings.provider === 'unifonic' ? createUnifonic(settings) : sandboxSms
}

/** Loaded only where a mail server is set: the package is large. */
async function createMailSender(settings: NonNullable<Config['mail']>): Promise<MailSender> {
  const { createSmtp } = await import('../providers/mail/smtp.ts')
  return createSmtp(settings)
}

/** A sandbox without a mail server keeps its mails; production then sends none. */
export function createShownMail(db: Database, environment: Environment, secrets: SecretBox): MailSender | undefined {
  return environment === 'sandbox' ? createSandboxMail(createKeepMail({ db, secrets })) : undefined
}

function createTranslator(settings: TranslationSettings): Translator | undefined {
  if (settings.provider === 'libretranslate') return createLibreTranslate(settings)
  return settings.provider === 'google' ? createGoogleTranslate(settings) : undefined
}

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

/** Finds payment providers by name, with the merchant's credentials or else the deployment's. */
export function createPaymentProviders(parts: PaymentProviderParts): PaymentProviders {
  const { db, clock, environment, public_url, settings } = parts
  const findAccount = createFindAccount(parts)
  const sandbox =
    environment === 'sandbox' ? createSandboxPayments(createSandboxStore({ db, clock }), public_url) : undefined
  return {
    async of(owner, name) {
      if (name === 'merchant') return merchantPayments
      if (name === 'sandbox') return sandbox
      const own = name === 'paytabs' ? payTabsOf : moyasarOf
      return own(owner, findAccount, settings).catch((error: unknown) => {
        if (error instanceof SecretError) return unopenedPayments(name, error.message)
        throw error
      })
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
  if (used === undefined) return undefined
  const id = accountId({ ...used, provider: 'paytabs', url })
  return { ...createPayTabs({ ...used, url }), account: { id, own: own !== undefined } }
}

async function moyasarOf(
  owner: PaymentOwner,
  findAccount: FindAccount,
  { moyasar: { url, account } }: PaymentSettings,
): Promise<PaymentProvider | undefined> {
  const own = await findAccount(owner, 'moyasar')
  const used = own?.provider === 'moyasar' ? own : account
  if (used === undefined) return undefined
  const id = accountId({ ...used, provider: 'moyasar', url })
  return { ...createMoyasar({ ...used, url }), account: { id, own: own !== undefined } }
}
