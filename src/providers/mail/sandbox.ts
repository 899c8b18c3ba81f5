import type { Mail, MailSender } from './port.ts'

/** Sends nothing: the sandbox keeps its mails, and its dashboard shows them. */
export function createSandboxMail(keep: (mail: Mail) => Promise<void>): MailSender {
  return {
    name: 'sandbox',
    async send(mail) {
      await keep(mail)
      return { kind: 'sent' }
    },
  }
}
