import { createTransport } from 'nodemailer'
import { readEmail } from '../../domain/email.ts'
import { errorCode } from '../../lib/errors.ts'
import type { Mail, MailOutcome, MailSender } from './port.ts'

export interface SmtpSettings {
  /** `smtps://user:password@host:465`, or `smtp://…`, which uses STARTTLS where the server offers it. */
  readonly url: string
  /** With `smtp://`: sends nothing, not even the password, to a server without STARTTLS. */
  readonly requires_tls: boolean
  /** The address that mails come from, with a name or without. */
  readonly from: string
  /** How long one mail may take. */
  readonly within_ms?: number
}

const at_once = 2

/** Sends mails by a server, at most two at once. It refuses more until one of them has ended. */
export function createSmtp({ url, from, requires_tls, within_ms = 15_000 }: SmtpSettings): MailSender {
  const timeouts = { connectionTimeout: within_ms, greetingTimeout: within_ms, socketTimeout: within_ms }
  const safety = { requireTLS: requires_tls, disableFileAccess: true, disableUrlAccess: true }
  const transport = createTransport({ url, ...timeouts, ...safety })
  let busy = 0
  return {
    name: 'smtp',
    async send(mail: Mail): Promise<MailOutcome> {
      // The package would read any other text as a list of addresses.
      if (readEmail(mail.to) === null) return { kind: 'refused', reason: 'no e-mail address' }
      if (busy >= at_once) return { kind: 'refused', reason: 'the mail server has not finished earlier mails' }
      busy += 1
      try {
        const late = Promise.withResolvers<never>()
        const timer = setTimeout(() => late.reject(new Error('no answer in time')), within_ms)
        const sent = transport.sendMail({ from, ...mail, headers: { 'Auto-Submitted': 'auto-generated' } })
        // When the time is up first, nobody else handles a later failure of the mail.
        sent.catch(() => undefined)
        await Promise.race([sent, late.promise]).finally(() => clearTimeout(timer))
        return { kind: 'sent' }
      } catch (error) {
        return { kind: 'refused', reason: reasonOf(error) }
      } finally {
        busy -= 1
      }
    },
  }
}

/** Gives only codes: the sentences of a mail server quote addresses. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = errorCode(error) ?? error.message.slice(0, 40)
  const answer = 'responseCode' in error && typeof error.responseCode === 'number' ? ` ${error.responseCode}` : ''
  if (code === 'ETLS' && answer !== '') return `the mail server refused STARTTLS${answer} (docs/staff.md#mail)`
  return `${code.replaceAll(/\S+@\S+/g, '…')}${answer}`
}
