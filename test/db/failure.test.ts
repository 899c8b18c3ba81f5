import { describe, expect, it } from 'vitest'
import {
  CommitUnknown,
  isConnectionLost,
  isContention,
  isDatabaseUnavailable,
  isMadeMeanwhile,
  isUniqueViolation,
} from '../../src/db/failure.ts'

const meanings = {
  lost: isConnectionLost,
  unavailable: isDatabaseUnavailable,
  contention: isContention,
  unique: isUniqueViolation,
} as const

/** Each error, by SQLSTATE, system code or message of the driver, and its classes. */
// biome-ignore format: one row per error
const table: readonly (readonly [error: string, meaning: string])[] = [
  ['08000', 'lost unavailable'], ['08003', 'lost unavailable'], ['08006', 'lost unavailable'], ['08P01', 'lost unavailable'],
  ['57P01', 'lost unavailable'], ['57P02', 'lost unavailable'], ['57P03', 'lost unavailable'], ['57P05', 'lost unavailable'],
  ['25P03', 'lost unavailable'], ['25P04', 'lost unavailable'],
  ['ECONNREFUSED', 'lost unavailable'], ['ECONNRESET', 'lost unavailable'], ['EPIPE', 'lost unavailable'],
  ['ENOTFOUND', 'lost unavailable'], ['EAI_AGAIN', 'lost unavailable'], ['ETIMEDOUT', 'lost unavailable'],
  ['25006', 'unavailable'], ['53100', 'unavailable'], ['53200', 'unavailable'], ['53300', 'unavailable'],
  ['28000', 'unavailable'], ['28P01', 'unavailable'], ['57014', 'unavailable'], ['58000', 'unavailable'], ['58030', 'unavailable'],
  ['40001', 'contention'], ['40P01', 'contention'],
  ['23505', 'unique'],
  ['23503', ''], ['23514', ''], ['22P02', ''], ['42501', ''], ['42P01', ''], ['25P02', ''], ['ENOENT', ''],
  ['Connection terminated', 'lost unavailable'],
  ['Connection terminated unexpectedly', 'lost unavailable'],
  ['Connection terminated due to connection timeout', 'lost unavailable'],
  ['timeout exceeded when trying to connect', 'lost unavailable'],
  ['timeout expired', 'lost unavailable'],
  ['Client has encountered a connection error and is not queryable', 'lost unavailable'],
  ['Client was closed and is not queryable', 'lost unavailable'],
  ['Query read timeout', 'lost unavailable'],
  ['Cannot use a pool after calling end on the pool', 'lost unavailable'],
  ['anything else', ''],
]

function errorOf(text: string): Error {
  return /^[A-Z0-9_]+$/.test(text) ? Object.assign(new Error('told by its code'), { code: text }) : new Error(text)
}

describe('the classes of a database error', () => {
  it.each(table)('%s: %s', (text, expected) => {
    const error = errorOf(text)
    const found = Object.entries(meanings).flatMap(([name, means]) => (means(error) ? [name] : []))
    expect(found.join(' ')).toBe(expected)
  })

  it.each([
    ['duplicate key value violates unique constraint "customer_phone_key_102015"', 'unique'],
    ['deadlock detected', 'contention'],
    ['could not extend file "base/1/2": No space left on device', 'unavailable'],
    ['cache lookup failed', ''],
  ])('%s, from a node of a cluster: %s', (words, expected) => {
    const error = Object.assign(new Error(words), { code: 'XX000' })
    const found = Object.entries(meanings).flatMap(([name, means]) => (means(error) ? [name] : []))
    expect(found.join(' ')).toBe(expected)
    expect(isUniqueViolation(error, 'customer_phone_key')).toBe(expected === 'unique')
    expect(isUniqueViolation(error, 'orders_')).toBe(false)
  })

  it('a missing socket file means that there is no server', () => {
    const error = Object.assign(new Error('connect ENOENT'), { code: 'ENOENT', syscall: 'connect' })
    expect(isConnectionLost(error)).toBe(true)
  })

  it('an unknown commit is unavailable, but not a lost connection, which would be retried', () => {
    const error = new CommitUnknown(errorOf('57P01'))
    expect([isDatabaseUnavailable(error), isConnectionLost(error)]).toEqual([true, false])
    expect(error.cause).toBeInstanceOf(Error)
  })

  it.each([null, undefined, 'text', 7, {}, { code: 7 }, { message: 'Query read timeout' }])('%s is none', (thrown) => {
    for (const means of Object.values(meanings)) expect(means(thrown)).toBe(false)
  })
})

describe('a unique violation', () => {
  const violation = (constraint?: string) => Object.assign(new Error('duplicate key'), { code: '23505', constraint })

  it('is recognised by the name of its constraint', () => {
    expect(isUniqueViolation(violation('api_key_pkey'), 'api_key')).toBe(true)
    expect(isUniqueViolation(violation('orders_pkey'), 'api_key')).toBe(false)
    expect(isUniqueViolation(violation(), 'api_key')).toBe(true)
  })

  it('of a catalogue means that another process creates the same table', () => {
    expect(isMadeMeanwhile(violation('pg_type_typname_nsp_index'))).toBe(true)
    for (const code of ['42P07', '42710']) expect(isMadeMeanwhile(errorOf(code)), code).toBe(true)
    expect(isMadeMeanwhile(violation('schema_migration_pkey'))).toBe(false)
  })
})
