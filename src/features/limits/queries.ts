import { prepared, type Statement } from '../../db/statement.ts'
import type { Tally } from '../../domain/limit.ts'

/** A counter as it is stored: `counts[i]` happened up to `times[i]`. */
export interface CounterRow {
  readonly times: readonly Date[]
  readonly counts: readonly number[]
}

const findText = prepared<CounterRow>('limits.find', 'select times, counts from limit_counter where key_hash = $1')

/** A counter; gives nothing while it counts nothing. */
export function findCounter(key_hash: Buffer): Statement<CounterRow> {
  return findText(key_hash)
}

const lockText = prepared<CounterRow>(
  'limits.lock',
  'select times, counts from limit_counter where key_hash = $1 for update',
)

/** A counter, locked until the transaction ends; gives nothing while it counts nothing. */
export function lockCounter(key_hash: Buffer): Statement<CounterRow> {
  return lockText(key_hash)
}

/** The new value of a counter, and until when it counts. */
export interface NewCount {
  readonly key_hash: Buffer
  readonly tallies: readonly Tally[]
  readonly kept_until: Date
}

const insertText = prepared<{ key_hash: Buffer }>(
  'limits.insert',
  `insert into limit_counter (key_hash, times, counts, kept_until) values ($1, $2, $3, $4)
   on conflict (key_hash) do nothing returning key_hash`,
)

/** Creates a counter; gives nothing if another transaction has created it. */
export function insertCounter(count: NewCount): Statement<{ key_hash: Buffer }> {
  return insertText(...valuesOf(count))
}

const updateText = prepared<never>(
  'limits.update',
  'update limit_counter set times = $2, counts = $3, kept_until = $4 where key_hash = $1',
)

/** Writes the value of a locked counter. */
export function updateCounter(count: NewCount): Statement<never> {
  return updateText(...valuesOf(count))
}

const emptyText = prepared<never>('limits.delete', 'delete from limit_counter where key_hash = $1')

/** Deletes a locked counter that counts nothing. */
export function deleteCounter(key_hash: Buffer): Statement<never> {
  return emptyText(key_hash)
}

const tallyText = prepared<never>(
  'limits.tallies',
  'update limit_counter set times = $2, counts = $3 where key_hash = $1',
)

/** Writes the tallies of a locked counter after one was removed. */
export function updateTallies(key_hash: Buffer, tallies: readonly Tally[]): Statement<never> {
  return tallyText(key_hash, timesOf(tallies), countsOf(tallies))
}

/** Up to `count` counters that count nothing after `now`, of all programs. */
export function findEndedCounters(now: Date, count: number): Statement<{ key_hash: Buffer }> {
  return {
    text: 'select key_hash from limit_counter where kept_until < $1 order by kept_until limit $2',
    values: [now, count],
  }
}

/** Deletes counters, unless they count again. */
export function deleteEndedCounters(hashes: readonly Buffer[], now: Date): Statement<{ key_hash: Buffer }> {
  return {
    text: 'delete from limit_counter where key_hash = any($1::bytea[]) and kept_until < $2 returning key_hash',
    values: [hashes, now],
  }
}

function valuesOf({ key_hash, tallies, kept_until }: NewCount) {
  return [key_hash, timesOf(tallies), countsOf(tallies), kept_until]
}

const timesOf = (tallies: readonly Tally[]) => tallies.map(({ at }) => at)
const countsOf = (tallies: readonly Tally[]) => tallies.map(({ count }) => count)
