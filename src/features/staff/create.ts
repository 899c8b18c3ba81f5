import type { MailSender } from '../../providers/mail/port.ts'
import { createSandboxMail } from '../../providers/mail/sandbox.ts'
import type { StaffParts } from './parts.ts'
import { createPasswords, type PasswordCost } from './passwords.ts'
import { type Background, createBackground } from './reset.ts'
import { createKeepMail } from './shown-mails.ts'

export interface StaffSettings extends Pick<StaffParts, 'db' | 'secrets' | 'limits' | 'environment' | 'public_url'> {
  /** The mail server. */
  readonly mail?: MailSender | undefined
  readonly onMailUnsent?: (reason: string) => void
  readonly password_cost?: PasswordCost
}

/** Makes what the dashboard's people need. Without a mail server a sandbox keeps its mails, and production sends none. */
export function createStaff(settings: StaffSettings): StaffParts & { readonly background: Background } {
  const {
    db,
    secrets,
    limits,
    environment,
    public_url,
    password_cost,
    onMailUnsent: onUnsent = () => undefined,
  } = settings
  const shown = environment === 'sandbox' ? createSandboxMail(createKeepMail({ db, secrets })) : undefined
  return {
    ...{ db, secrets, limits, environment, public_url, onUnsent },
    passwords: createPasswords(password_cost),
    mail: settings.mail ?? shown,
    now: () => new Date(),
    background: createBackground((error) => onUnsent(error instanceof Error ? error.name : 'unknown')),
  }
}
