import type { Environment } from '../../config/config.ts'
import type { Database } from '../../db/pool.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import type { MailSender } from '../../providers/mail/port.ts'
import type { Limits } from '../limits/service.ts'
import type { Passwords } from './passwords.ts'

/** What the services of the dashboard's people are made of. */
export interface StaffParts {
  readonly db: Database
  readonly secrets: SecretBox
  readonly limits: Limits
  readonly passwords: Passwords
  /** Undefined where no mail is sent: links are shown to whoever makes them. */
  readonly mail: MailSender | undefined
  readonly environment: Environment
  /** Without a trailing slash. */
  readonly public_url: string
  /** The machine's clock. */
  readonly now: () => Date
  /** Called when a mail was not sent; `reason` names no address. */
  readonly onUnsent?: (reason: string) => void
}
