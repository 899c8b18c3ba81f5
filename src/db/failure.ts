import { errorCode } from '../lib/errors.ts'

/** Classifies errors of the database by SQLSTATE and by the driver's messages. */

const connectionCodes = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/
const driverMessages =
  /connection terminated|timeout (exceeded when trying to connect|expired)|not queryable|read timeout|client was closed|cannot use a pool after/i

/** Citus reports some errors of its nodes as XX000; the message tells the cause. Names end in the number of a shard. */
const nodeErrors = [
  { message: /^duplicate key value violates unique constraint "([^"]+)"/, code: '23505' },
  { message: /^deadlock detected/, code: '40P01' },
  { message: /No space left on device/, code: '53100' },
] as const

function codeOf(error: unknown): string {
  const code = errorCode(error)
  if (code === 'XX000') return nodeErrors.find(({ message }) => message.test(messageOf(error)))?.code ?? code
  return code ?? ''
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}

/** True if the connection was lost or could not be made. A commit on it may or may not have taken place. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error)
  // 25P03 and 25P04: the server ended the session because of a transaction time-out.
  if (connectionCodes.test(code) || /^(08|57P0[1-5]|25P0[34])/.test(code)) return true
  if (!(error instanceof Error)) return false
  // A missing or inaccessible socket file means that there is no server.
  return driverMessages.test(error.message) || ('syscall' in error && error.syscall === 'connect')
}

/** True if the connection was lost before the statement was sent, so the server has never seen it. */
export function wasNeverSent(error: unknown): boolean {
  return error instanceof Error && /not queryable/i.test(error.message)
}

/**
 * True if the database cannot serve the request now (503): unreachable, read-only, full, out of connections, or with another
 * password until this process is restarted with it.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof CommitUnknown) return true
  return isConnectionLost(error) || /^(25006|28|53|58|57014)/.test(codeOf(error))
}

/** True if the session is read-only: the server is a standby, or was one when the session began. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006'
}

/** True if the disk of the database is full. */
export function isOutOfRoom(error: unknown): boolean {
  return codeOf(error) === '53100'
}

/** True if the database, or the role, has all the connections that it may have. */
export function isCrowded(error: unknown): boolean {
  return codeOf(error) === '53300'
}

/** True if PostgreSQL refused what a statement says, such as a value or a row, and its session is as good as before. */
export function isRefused(error: unknown): boolean {
  return /^(22|23|40|55P03)/.test(codeOf(error))
}

/** True if PostgreSQL reported an error that its session may cause, such as a plan that no longer fits its tables. */
export function isOfSession(error: unknown): boolean {
  return /^[\dA-Z]{5}$/.test(codeOf(error)) && !isRefused(error) && !isAborted(error)
}

/** True if a plan of the session no longer fits its tables, or is gone. The statement did nothing; another session plans anew. */
export function isStalePlan(error: unknown): boolean {
  return codeOf(error) === '26000' || /^cached plan must not change result type/.test(messageOf(error))
}

/** True if PostgreSQL rolled the transaction back because of another one: serialization failure or deadlock. */
export function isContention(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error))
}

/** True if the statement was refused because an earlier one of its transaction failed. */
export function isAborted(error: unknown): boolean {
  return codeOf(error) === '25P02'
}

/** True for a violation of a unique constraint; with `prefix`, only of one whose name begins with it. */
export function isUniqueViolation(error: unknown, prefix = ''): boolean {
  if (codeOf(error) !== '23505') return false
  const named = error instanceof Error && 'constraint' in error ? error.constraint : undefined
  const name = named ?? nodeErrors[0].message.exec(messageOf(error))?.[1]
  return typeof name !== 'string' || name.startsWith(prefix)
}

/** True if another process created the same table at the same moment: `if not exists` does not cover that. */
export function isMadeMeanwhile(error: unknown): boolean {
  // A table is also a type, and PostgreSQL may report either.
  return ['42P07', '42710'].includes(codeOf(error)) || isUniqueViolation(error, 'pg_')
}

/** True if a table is missing: the database has not been migrated. */
export function isMissingTable(error: unknown): boolean {
  return codeOf(error) === '42P01'
}

/** True if a lock was not granted within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03'
}

/** True if the role lacks a privilege. */
export function isForbidden(error: unknown): boolean {
  return codeOf(error) === '42501'
}

/** True if the search_path of the role names no schema that exists. */
export function isMissingSchema(error: unknown): boolean {
  return codeOf(error) === '3F000'
}

/** The connection broke between COMMIT and its answer: the transaction may or may not be committed. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('the connection broke while the commit was under way', { cause })
    this.name = 'CommitUnknown'
  }
}

/** The database cannot be used yet. The message says why, and what to do. */
export class DatabaseSetupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DatabaseSetupError'
  }
}
