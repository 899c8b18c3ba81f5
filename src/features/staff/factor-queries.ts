import type { Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'

export function insertRecoveryCodes(staff_uuid: Uuid, hashes: readonly Buffer[], now: Date): Statement<never> {
  return {
    text: `insert into staff_recovery_code (staff_uuid, code_hash, created_at)
      select $1, code_hash, $3 from unnest($2::bytea[]) as code_hash`,
    values: [staff_uuid, hashes, now],
  }
}

export function deleteRecoveryCodes(staff_uuid: Uuid): Statement<never> {
  return { text: 'delete from staff_recovery_code where staff_uuid = $1', values: [staff_uuid] }
}

/** Uses a code; gives nothing if the person has no such code. */
export function useRecoveryCode(staff_uuid: Uuid, code_hash: Buffer): Statement<{ staff_uuid: Uuid }> {
  return {
    text: 'delete from staff_recovery_code where staff_uuid = $1 and code_hash = $2 returning staff_uuid',
    values: [staff_uuid, code_hash],
  }
}

export interface PasskeyRow {
  readonly passkey_uuid: Uuid
  readonly staff_uuid: Uuid
  readonly credential_id: Buffer
  readonly public_key: Buffer
  readonly counter: number
  readonly transports: readonly string[]
  readonly name: string
  readonly created_at: Date
  readonly used_at: Date | null
}

const columns = 'passkey_uuid, staff_uuid, credential_id, public_key, counter, transports, name, created_at, used_at'

export function findPasskeysOf(staff_uuid: Uuid): Statement<PasskeyRow> {
  return {
    text: `select ${columns} from staff_passkey where staff_uuid = $1 order by created_at, passkey_uuid`,
    values: [staff_uuid],
  }
}

export function findPasskey(credential_id: Buffer): Statement<PasskeyRow> {
  return { text: `select ${columns} from staff_passkey where credential_id = $1`, values: [credential_id] }
}

/** Adds a passkey; gives nothing if it is somebody's already. */
export function insertPasskey(passkey: Omit<PasskeyRow, 'used_at'>): Statement<{ passkey_uuid: Uuid }> {
  const { passkey_uuid, staff_uuid, credential_id, public_key, counter, transports, name, created_at } = passkey
  return {
    text: `insert into staff_passkey (passkey_uuid, staff_uuid, credential_id, public_key, counter, transports, name, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (credential_id) do nothing returning passkey_uuid`,
    values: [passkey_uuid, staff_uuid, credential_id, public_key, counter, transports, name, created_at],
  }
}

/** Records a use; gives nothing if the counter has not grown, unless it stays at 0. */
export function usePasskey(passkey_uuid: Uuid, counter: number, now: Date): Statement<{ staff_uuid: Uuid }> {
  return {
    text: `update staff_passkey set counter = $2, used_at = $3
      where passkey_uuid = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning staff_uuid`,
    values: [passkey_uuid, counter, now],
  }
}

export function deletePasskey(staff_uuid: Uuid, passkey_uuid: Uuid): Statement<{ name: string }> {
  return {
    text: 'delete from staff_passkey where staff_uuid = $1 and passkey_uuid = $2 returning name',
    values: [staff_uuid, passkey_uuid],
  }
}

export function deletePasskeysOf(staff_uuid: Uuid): Statement<{ passkey_uuid: Uuid }> {
  return { text: 'delete from staff_passkey where staff_uuid = $1 returning passkey_uuid', values: [staff_uuid] }
}

/** Uses a challenge; gives nothing if it was used. */
export function insertUsed(key_hash: Buffer, expires_at: Date): Statement<{ key_hash: Buffer }> {
  return {
    text: `insert into staff_used (key_hash, expires_at) values ($1, $2)
      on conflict (key_hash) do nothing returning key_hash`,
    values: [key_hash, expires_at],
  }
}

/** Deletes up to `count` challenges that have expired. */
export function deleteEndedUses(now: Date, count: number): Statement<{ key_hash: Buffer }> {
  return {
    text: `delete from staff_used where key_hash in (
        select key_hash from staff_used where expires_at <= $1 order by expires_at limit $2) returning key_hash`,
    values: [now, count],
  }
}
