import { createServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CommitUnknown, isConnectionLost, isDatabaseUnavailable, isUniqueViolation } from '../../src/db/failure.ts'
import { Database } from '../../src/db/pool.ts'
import type { Transaction } from '../../src/db/transaction.ts'
import { testDatabase } from '../support/database.ts'
import { type DatabaseProxy, startProxy } from '../support/proxy.ts'
import { patience } from '../support/server.ts'
import { waitFor } from '../support/wait.ts'

// When something fails, a transaction writes all or nothing, reports the first error and keeps no connection. It never
// reports an unknown commit as done or not done.

const database = testDatabase({ size: 2 })

beforeAll(() =>
  database.owner.script('create table note (id bigint primary key, text text); grant all on note to public'),
)
beforeEach(() => database.owner.script('truncate note'))

const insert = (id: number, text = '') => ({ text: 'insert into note values ($1, $2)', values: [id, text] })
const select = (text: string) => ({ text, values: [] })

async function notes(): Promise<number[]> {
  const rows = await database.owner.run<{ id: number }>(select('select id from note order by id'))
  return rows.map(({ id }) => id)
}

/** Ends the session of a transaction, like an operator or a stopping server. */
async function kill(tx: Transaction): Promise<void> {
  const session = await sessionOf(tx)
  await database.owner.run({ text: 'select pg_terminate_backend($1)', values: [session] })
  await sessionEnds(session)
}

async function sessionOf(tx: Transaction): Promise<number> {
  const row = await tx.one<{ pid: number }>(select('select pg_backend_pid() as pid'))
  return row?.pid ?? 0
}

const stateOf = (session: number) =>
  database.owner.one<{ state: string }>({
    text: 'select state from pg_stat_activity where pid = $1',
    values: [session],
  })

/** Waits until the server has ended a session. Its client, which shares our event loop, has then heard of it. */
async function sessionEnds(session: number): Promise<void> {
  await waitFor('the session to end', async () => (await stateOf(session)) === undefined)
  await stateOf(session)
  await nextTurn()
}

describe('all or nothing', () => {
  it('commits awaited and other statements', async () => {
    const result = await database.db.transaction(async (tx) => {
      void tx.run(insert(1))
      await tx.run(insert(2))
      void tx.run(insert(3))
      return 'done'
    })
    expect(result).toBe('done')
    expect(await notes()).toEqual([1, 2, 3])
  })

  it('writes nothing when the work throws, and rethrows the error', async () => {
    const thrown = new Error('enough')
    const work = database.db.transaction(async (tx) => {
      await tx.run(insert(1))
      void tx.run(insert(2))
      throw thrown
    })
    await expect(work).rejects.toBe(thrown)
    expect(await notes()).toEqual([])
  })

  it('runs statements in the order in which they were sent', async () => {
    const seen = await database.db.transaction(async (tx) => {
      void tx.run(insert(1, 'a'))
      void tx.run({ text: `update note set text = text || $1`, values: ['b'] })
      void tx.run({ text: `update note set text = text || $1`, values: ['c'] })
      return tx.one<{ text: string }>(select('select text from note'))
    })
    expect(seen).toEqual({ text: 'abc' })
  })

  it('never takes the COMMIT of a failed transaction for success', async () => {
    const work = database.db.transaction(async (tx) => {
      void tx.run(insert(1))
      void tx.run(insert(1))
    })
    await expect(work).rejects.toMatchObject({ code: '23505' })
    expect(await notes()).toEqual([])
  })

  it('fails although the work swallowed the error of a statement', async () => {
    const work = database.db.transaction(async (tx) => {
      await tx.run(insert(1))
      await tx.run(insert(1)).catch(() => undefined)
    })
    await expect(work).rejects.toMatchObject({ code: '23505' })
    expect(await notes()).toEqual([])
  })
})

it('a session that has lost its prepared statements, as behind a pooler, does not write outside of a transaction', async () => {
  const db = database.connect({ size: 1 })
  await db.transaction((tx) => tx.run(insert(1)))
  await db.script('deallocate all')
  const work = db.transaction(async (tx) => {
    await tx.run(insert(2)).catch(() => undefined)
    throw new Error('enough')
  })
  await expect(work).rejects.toThrow('enough')
  expect(await notes()).toEqual([1])
})

describe('the first error is reported', () => {
  it('a statement that nobody awaits fails the transaction, and does not end the process as an unhandled rejection', async () => {
    const work = database.db.transaction(async (tx) => {
      const session = await sessionOf(tx)
      void tx.run(insert(1))
      void tx.run(insert(1))
      void tx.one(insert(2))
      void tx.script('select 1')
      const aborted = async () => (await stateOf(session))?.state === 'idle in transaction (aborted)'
      await waitFor('its statements to fail', aborted)
    })
    await expect(work).rejects.toMatchObject({ code: '23505' })
    await nextTurn()
  })

  it('an awaited statement that fails only because an earlier one did reports the earlier one', async () => {
    const work = database.db.transaction(async (tx) => {
      void tx.run(insert(1))
      void tx.run(insert(1))
      await tx.run(insert(2))
    })
    await expect(work).rejects.toMatchObject({ code: '23505' })
  })

  it('so that a unique violation behind an aborted transaction is tried again when it may be', async () => {
    let tries = 0
    await database.db.transaction(
      async (tx) => {
        tries += 1
        void tx.run(insert(1))
        void tx.run(insert(tries === 1 ? 1 : 2))
        await tx.run(insert(3))
      },
      { retryOn: isUniqueViolation },
    )
    expect(tries).toBe(2)
    expect(await notes()).toEqual([1, 2, 3])
  })

  it('a statement sent after the end of its transaction is refused, not run outside of it', async () => {
    let late: Promise<unknown> = Promise.resolve()
    const over = Promise.withResolvers<void>()
    const straggle = async (tx: Transaction) => {
      await over.promise
      await tx.run(insert(7))
    }
    const work = database.db.transaction(async (tx) => {
      late = straggle(tx)
      await Promise.all([late, tx.run(select('select 1 / 0'))])
    })
    await expect(work).rejects.toMatchObject({ code: '22012' })
    over.resolve()
    await expect(late).rejects.toThrow('after the end of its transaction')
    expect(await notes()).toEqual([])
  })
})

describe('contention', () => {
  it('a deadlock is tried again, and both are done', async () => {
    await database.owner.script(`insert into note values (1, ''), (2, '')`)
    let tries = 0
    const bothHoldOne = Promise.withResolvers<void>()
    const update = (id: number) => ({ text: `update note set text = text || 'x' where id = $1`, values: [id] })
    const touch = (first: number, second: number) =>
      database.owner.transaction(async (tx) => {
        // Found long before the transaction would be given up.
        await tx.script(`set local deadlock_timeout = '10ms'`)
        await tx.run(update(first))
        tries += 1
        if (tries === 2) bothHoldOne.resolve()
        await bothHoldOne.promise
        await tx.run(update(second))
      })
    await Promise.all([touch(1, 2), touch(2, 1)])
    expect(tries).toBe(3)
    expect(await database.owner.run(select('select distinct text from note'))).toEqual([{ text: 'xx' }])
  })

  it('a serialization failure is tried again', async () => {
    await database.owner.script(`insert into note values (1, '')`)
    let tries = 0
    await database.db.transaction(async (tx) => {
      tries += 1
      await tx.script('set transaction isolation level repeatable read')
      await tx.run(select('select * from note'))
      if (tries === 1) await database.owner.script(`update note set text = 'theirs'`)
      await tx.run(select(`update note set text = text || '+ours'`))
    })
    expect(tries).toBe(2)
    expect(await database.owner.run(select('select text from note'))).toEqual([{ text: 'theirs+ours' }])
  })

  it('is given up after a few tries, and then reported', async () => {
    let tries = 0
    await database.owner.script(`insert into note values (1, '')`)
    const work = database.db.transaction(
      async (tx) => {
        tries += 1
        await tx.run(insert(1))
      },
      { retryOn: isUniqueViolation },
    )
    await expect(work).rejects.toMatchObject({ code: '23505' })
    expect(tries).toBe(6)
  })

  it('a refusal of the work itself is not tried again', async () => {
    let tries = 0
    const work = database.db.transaction(async () => {
      tries += 1
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(tries).toBe(1)
  })
})

describe('a connection that is lost before the COMMIT', () => {
  it('between two statements, is no uncaught error, and the work is done again', async () => {
    let tries = 0
    await database.db.transaction(async (tx) => {
      tries += 1
      await tx.run(insert(tries))
      if (tries === 1) await kill(tx)
    })
    expect(tries).toBe(2)
    expect(await notes()).toEqual([2])
  })

  it('during a statement, does the same', async () => {
    let tries = 0
    await database.db.transaction(async (tx) => {
      tries += 1
      const session = await sessionOf(tx)
      if (tries > 1) return
      const waiting = tx.run(select('select pg_sleep(5)'))
      await database.owner.run({ text: 'select pg_terminate_backend($1)', values: [session] })
      await waiting
    })
    expect(tries).toBe(2)
  })
})

describe('a connection that is lost during the COMMIT', () => {
  let proxy: DatabaseProxy
  let db: Database

  beforeAll(async () => {
    proxy = await startProxy(database.url)
    db = new Database(proxy.url, { ...patience, size: 2 })
  })
  afterAll(async () => {
    await db.close()
    await proxy.close()
  })

  it('is reported as an unknown commit, never as done or not done', async () => {
    for (const when of ['before the server hears the COMMIT', 'after the server has committed'] as const) {
      let tries = 0
      proxy.breakNextCommit(when)
      const work = db.transaction(async (tx) => {
        tries += 1
        await tx.run(insert(when.startsWith('before') ? 1 : 2))
      })
      const error: unknown = await work.catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(CommitUnknown)
      expect(isDatabaseUnavailable(error)).toBe(true)
      expect(tries).toBe(1)
    }
    expect(await notes()).toEqual([2])
  })

  it('is retried for work that recognises its own writes', async () => {
    for (const when of ['before the server hears the COMMIT', 'after the server has committed'] as const) {
      await database.owner.script('truncate note')
      const seen: { known: number; maybe: boolean }[] = []
      proxy.breakNextCommit(when)
      await db.transaction(
        async (tx) => {
          const known = await tx.run<{ id: number }>(select('select id from note'))
          seen.push({ known: known.length, maybe: tx.may_be_committed })
          if (known.length === 0) await tx.run(insert(1))
        },
        { repeatable: true },
      )
      const committed = when.startsWith('after') ? 1 : 0
      expect(seen).toEqual([
        { known: 0, maybe: false },
        { known: committed, maybe: true },
      ])
      expect(await notes()).toEqual([1])
    }
  })

  it('and stays unknown when the server is then gone: a failure to connect does not mean "not written"', async () => {
    proxy.breakNextCommit('after the server has committed', () => proxy.down())
    let tries = 0
    const work = db.transaction(
      async (tx) => {
        tries += 1
        await tx.run(insert(1))
      },
      { repeatable: true },
    )
    await expect(work).rejects.toBeInstanceOf(CommitUnknown)
    expect(tries).toBe(1)
    await proxy.up()
    expect(await notes()).toEqual([1])
  })

  it('the pool is well again when the server is back', async () => {
    await db.run(select('select 1'))
    await proxy.down()
    const error: unknown = await db.run(select('select 1')).catch((thrown: unknown) => thrown)
    expect(isDatabaseUnavailable(error)).toBe(true)
    expect(await db.isWritable()).toBe(false)
    await expect(db.transaction((tx) => tx.run(insert(5)))).rejects.toSatisfy(isDatabaseUnavailable)
    await proxy.up()
    expect(await db.isWritable()).toBe(true)
    await db.transaction((tx) => tx.run(insert(6)))
    expect(await notes()).toEqual([6])
  })
})

describe('connections', () => {
  it('are given back by transactions that fail in every way', async () => {
    const failing = [
      (tx: Transaction) => tx.run(select('select 1 / 0')),
      () => Promise.reject(new Error('work')),
      async (tx: Transaction) => void tx.run(select('select nothing from nowhere')),
      async (tx: Transaction) => {
        void tx.run(select('select 1 / 0'))
        throw new Error('work')
      },
    ]
    const all = Array.from({ length: 200 }, (_, index) =>
      database.db.transaction(async (tx) => failing[index % failing.length]?.(tx)),
    )
    const outcomes = await Promise.allSettled(all)
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    await Promise.all([1, 2, 3, 4].map((id) => database.db.transaction((tx) => tx.run(insert(id)))))
    expect(await notes()).toEqual([1, 2, 3, 4])
  })

  it('are given back by transactions whose sessions are killed', async () => {
    for (let round = 0; round < 5; round += 1) {
      const work = database.db.transaction(async (tx) => {
        await kill(tx)
        throw new Error('given up')
      })
      await expect(work).rejects.toThrow('given up')
    }
    await database.db.transaction((tx) => tx.run(insert(1)))
    expect(await notes()).toEqual([1])
  })

  it('none to be had in time is a database that is not available', async () => {
    // Allow time for the first connection on a busy machine: the second never comes.
    const db = database.connect({ size: 1, connect_timeout_ms: 2_000 })
    const [held, enough] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = db.transaction(() => {
      held.resolve()
      return enough.promise
    })
    await held.promise
    await expect(db.run(select('select 1'))).rejects.toSatisfy(isDatabaseUnavailable)
    enough.resolve()
    await holding
    await db.run(select('select 1'))
  })

  it('a server that accepts and then stays silent counts as unreachable', async () => {
    const silent = createServer((socket) => socket.resume().on('error', () => undefined))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const db = new Database(`postgresql://nobody@127.0.0.1:${port}/none`, { connect_timeout_ms: 100 })
    await expect(db.run(select('select 1'))).rejects.toSatisfy(isDatabaseUnavailable)
    await expect(db.transaction((tx) => tx.run(insert(1)))).rejects.toSatisfy(isConnectionLost)
    await db.close()
    await new Promise((resolve) => silent.close(resolve))
  })
})

describe('a statement that takes too long', () => {
  it('ends its connection; the transaction fails as unavailable and the next one is well', async () => {
    const db = database.connect({ size: 1, query_timeout_ms: 1_000 })
    let session = 0
    const slow = db.transaction(async (tx) => {
      session = await sessionOf(tx)
      void tx.run(insert(1))
      await tx.run(select('select pg_sleep(3)'))
    })
    await expect(slow).rejects.toSatisfy(isDatabaseUnavailable)
    await db.transaction((tx) => tx.run(insert(2)))
    await sessionEnds(session)
    expect(await notes()).toEqual([2])
  })

  it('and breaks with the COMMIT: its result is unknown', async () => {
    await database.owner.script(`insert into note values (1, '')`)
    const db = database.connect({ size: 1, query_timeout_ms: 200 })
    await database.owner.transaction(async (tx) => {
      await tx.run(select('select from note where id = 1 for update'))
      const work = db.transaction(async (late) => void late.run(select(`update note set text = 'late' where id = 1`)))
      await expect(work).rejects.toBeInstanceOf(CommitUnknown)
    })
  })

  it('outside of a transaction it is unavailable too', async () => {
    const db = database.connect({ size: 1, query_timeout_ms: 500 })
    await expect(db.run(select('select pg_sleep(2)'))).rejects.toSatisfy(isDatabaseUnavailable)
    await db.run(select('select 1'))
  })
})

describe('a database that cannot be written', () => {
  it('is unavailable, and says so', async () => {
    const readOnly = new URL(database.url)
    readOnly.searchParams.set('options', '-c default_transaction_read_only=on')
    const db = new Database(readOnly.href, { size: 1 })
    expect(await db.isWritable()).toBe(false)
    await expect(db.transaction((tx) => tx.run(insert(1)))).rejects.toSatisfy(isDatabaseUnavailable)
    await db.close()
    expect(await database.db.isWritable()).toBe(true)
  })

  it('a session that sat idle in its transaction for too long for its server was lost, and the work is done again', async () => {
    let tries = 0
    await database.db.transaction(async (tx) => {
      tries += 1
      const session = await sessionOf(tx)
      await tx.run(select(`set local idle_in_transaction_session_timeout = ${tries === 1 ? 50 : 0}`))
      if (tries === 1) await sessionEnds(session)
      await tx.run(insert(tries))
    })
    expect(tries).toBe(2)
    expect(await notes()).toEqual([2])
  })
})
