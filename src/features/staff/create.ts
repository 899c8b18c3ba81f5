import type { MailSender } from '../../providers/mail/port.ts'
import type { StaffParts } from './parts.ts'
import { createPasswords, type PasswordCost } from './passwords.ts'
import { type Background, createBackground } from './reset.ts'

export interface StaffSettings extends Pick<StaffParts, 'db' | 'secrets' | 'limits' | 'environment' | 'public_url'> {
  /** Undefined where no mail is sent. */
  readonly mail: MailSender | undefined
  readonly onMailUnsent?: (reason: string) => void
  readonly password_cost?: PasswordCost
}

/** Makes what the dashboard's people need. */
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
  return {
    ...{ db, secrets, limits, environment, public_url, onUnsent },
    passwords: createPasswords(password_cost),
    mail: settings.mail,
    now: () => new Date(),
    background: createBackground(
      (error) => onUnsent(error instanceof Error ? error.name : 'unknown'),
      () => onUnsent('too many mails wait'),
    ),
  }
}
