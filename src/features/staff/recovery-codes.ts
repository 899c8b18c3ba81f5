import { createHash, randomBytes } from 'node:crypto'
import type { Transaction } from '../../db/transaction.ts'
import type { Uuid } from '../../domain/ids.ts'
import { recovery_codes } from '../../domain/sign-in.ts'
import { foldDigits, numberSeparators } from '../../domain/text.ts'
import { deleteRecoveryCodes, insertRecoveryCodes, useRecoveryCode } from './factor-queries.ts'

/** Codes to keep on paper, each for one sign-in without the second factor. Eighty random bits: their hashes are safe to store. */

const symbols = '0123456789abcdefghjkmnpqrstvwxyz'
const group = 4
const groups = 4

/** Replaces all codes of a person; gives the new ones, which are shown this once. */
export function replaceCodes(tx: Transaction, staff_uuid: Uuid, now: Date): string[] {
  const codes = Array.from({ length: recovery_codes }, newCode)
  void tx.run(deleteRecoveryCodes(staff_uuid))
  void tx.run(
    insertRecoveryCodes(
      staff_uuid,
      codes.map((code) => hashOf(staff_uuid, code)),
      now,
    ),
  )
  return codes
}

/** Uses a code as typed, once. */
export async function takeCode(tx: Transaction, staff_uuid: Uuid, typed: string): Promise<boolean> {
  return (await tx.one(useRecoveryCode(staff_uuid, hashOf(staff_uuid, typed)))) !== undefined
}

function newCode(): string {
  const text = Array.from(randomBytes(group * groups), (byte) => symbols[byte & 31]).join('')
  return text.match(new RegExp(`.{${group}}`, 'g'))?.join('-') ?? text
}

/** Typed codes have other spaces, dashes and digits, capitals, O for 0, and I or L for 1. */
function hashOf(staff_uuid: Uuid, code: string): Buffer {
  const compact = foldDigits(code.replace(numberSeparators, '')).toLowerCase()
  const plain = compact.replaceAll('o', '0').replace(/[il]/g, '1')
  return createHash('sha256').update(`${staff_uuid}:${plain}`).digest()
}
