import type { Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'

/** A webhook as an operator handles it, secrets sealed. */
export interface KeptWebhook {
  readonly program_id: number
  readonly webhook_uuid: Uuid
  readonly merchant_id: number
  readonly name: string
  readonly url: string
  readonly secret: Buffer
  readonly secret_last4: string
  readonly next_secret: Buffer | null
  readonly next_secret_last4: string | null
  readonly next_secret_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = `program_id, webhook_uuid, merchant_id, name, url, secret, secret_last4, next_secret, next_secret_last4,
  next_secret_at, created_at, updated_at`

/** A webhook of a program, whichever merchant's it is. */
export function findKept(program_id: number, webhook_uuid: Uuid): Statement<KeptWebhook> {
  return {
    text: `select ${columns} from webhook where program_id = $1 and webhook_uuid = $2`,
    values: [program_id, webhook_uuid],
  }
}

/** The same, locked until the transaction ends. */
export function lockKept(program_id: number, webhook_uuid: Uuid): Statement<KeptWebhook> {
  const { text, values } = findKept(program_id, webhook_uuid)
  return { text: `${text} for update`, values }
}

export type Secrets = Pick<
  KeptWebhook,
  'secret' | 'secret_last4' | 'next_secret' | 'next_secret_last4' | 'next_secret_at' | 'updated_at'
>

/** Sets the secret that is sent now, and the one that follows it, if one does. */
export function updateSecrets(
  { program_id, webhook_uuid }: Pick<KeptWebhook, 'program_id' | 'webhook_uuid'>,
  secrets: Secrets,
): Statement<never> {
  return {
    text: `update webhook set secret = $3, secret_last4 = $4, next_secret = $5, next_secret_last4 = $6,
        next_secret_at = $7, updated_at = $8
      where program_id = $1 and webhook_uuid = $2`,
    values: [
      program_id,
      webhook_uuid,
      secrets.secret,
      secrets.secret_last4,
      secrets.next_secret,
      secrets.next_secret_last4,
      secrets.next_secret_at,
      secrets.updated_at,
    ],
  }
}

export interface Rotation {
  readonly program_id: number
  readonly webhook_uuid: Uuid
  readonly rotation_uuid: Uuid
  readonly old_last4: string
  readonly new_last4: string
  readonly effective_at: Date
  readonly created_at: Date
}

/** Records a switch of secrets. */
export function insertRotation(rotation: Rotation): Statement<never> {
  return {
    text: `insert into webhook_rotation
        (program_id, webhook_uuid, rotation_uuid, old_last4, new_last4, effective_at, created_at)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      rotation.program_id,
      rotation.webhook_uuid,
      rotation.rotation_uuid,
      rotation.old_last4,
      rotation.new_last4,
      rotation.effective_at,
      rotation.created_at,
    ],
  }
}
