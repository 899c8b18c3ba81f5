import { errorCode } from '../lib/errors.ts'

/** What an error of the database means to us, by SQLSTATE and by the driver's own words. On a cluster names end in a shard's number. */

const connectionCodes = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/
const driverWords =
  /connection terminated|timeout (exceeded when trying to connect|expired)|not queryable|read timeout|client was closed|cannot use a pool after/i

/** Where rows made by a query go to the nodes of a cluster, an error there comes back as XX000: its words say more. */
const wordsOfNodes = [
  { words: /^duplicate key value violates unique constraint "([^"]+)"/, code: '23505' },
  { words: /^deadlock detected/, code: '40P01' },
  { words: /No space left on device/, code: '53100' },
] as const

function codeOf(error: unknown): string {
  const code = errorCode(error)
  if (code === 'XX000') return wordsOfNodes.find(({ words }) => words.test(messageOf(error)))?.code ?? code
  return code ?? ''
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}

/** The connection was lost or could not be made; whether a commit on it took place is not known. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error)
  // 25P03 and 25P04: the server ended the session for a limit on its transactions.
  if (connectionCodes.test(code) || /^(08|57P0[1-5]|25P0[34])/.test(code)) return true
  if (!(error instanceof Error)) return false
  // A socket file that is not there, or may not be opened, is a server that is not there.
  return driverWords.test(error.message) || ('syscall' in error && error.syscall === 'connect')
}

/** The connection was known to be lost when the statement was given, so the server has never seen it. */
export function wasNeverSent(error: unknown): boolean {
  return error instanceof Error && /not queryable/i.test(error.message)
}

/** The database cannot take this request now: out of reach, read-only, full, or out of connections (503). */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof CommitUnknown) return true
  return isConnectionLost(error) || /^(25006|53|58|57014)/.test(codeOf(error))
}

/** The session may only read: the server is a standby, or was told so when the session began. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006'
}

/** PostgreSQL rolled the transaction back for another's sake: serialization failure or deadlock. */
export function isContention(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error))
}

/** The statement was refused because an earlier one of its transaction had failed. */
export function isAborted(error: unknown): boolean {
  return codeOf(error) === '25P02'
}

/** A unique constraint was violated; with `prefix`, one whose name begins with it. */
export function isUniqueViolation(error: unknown, prefix = ''): boolean {
  if (codeOf(error) !== '23505') return false
  const named = error instanceof Error && 'constraint' in error ? error.constraint : undefined
  const name = named ?? wordsOfNodes[0].words.exec(messageOf(error))?.[1]
  return typeof name !== 'string' || name.startsWith(prefix)
}

/** Another process made the same table at the same moment: `if not exists` does not cover that. */
export function isMadeMeanwhile(error: unknown): boolean {
  // A table is a type too, and either may be what is found first.
  return ['42P07', '42710'].includes(codeOf(error)) || isUniqueViolation(error, 'pg_')
}

/** COMMIT was sent and the connection broke before its answer: the work may or may not have been done. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('the connection broke while the commit was under way', { cause })
    this.name = 'CommitUnknown'
  }
}
