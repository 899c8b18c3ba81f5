import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../support/database.ts'

// PostgreSQL ends one of two that wait for each other, and it may be a statement outside a transaction: "end all my
// sessions" beside the purge of ended ones, for example. Transactions were retried then, but a single statement was answered
// with 500.

const database = testDatabase()

/** Fails with the code of a sequence's first numbers; a sequence counts failed statements too. */
beforeAll(() =>
  database.owner.script(`create sequence contended; grant usage on sequence contended to public;
    create function contend(failures integer, code text) returns bigint language plpgsql as $$
    declare tried bigint := nextval('contended');
    begin
      if tried <= failures then raise exception 'contended' using errcode = code; end if;
      return tried;
    end $$`),
)
afterAll(() => database.owner.script('drop function contend; drop sequence contended'))

const contend = (failures: number, code: string) => ({
  text: 'select contend($1, $2)::int as tried',
  values: [failures, code],
})

test.each(['40P01', '40001'])('a statement that failed with %s runs again', async (code) => {
  await database.owner.script('alter sequence contended restart')
  expect(await database.db.one(contend(2, code))).toEqual({ tried: 3 })
})

test('a statement that always fails so gives up', async () => {
  await database.owner.script('alter sequence contended restart')
  await expect(database.db.one(contend(1_000, '40P01'))).rejects.toMatchObject({ code: '40P01' })
})

test('a statement that failed otherwise does not run again', async () => {
  await database.owner.script('alter sequence contended restart')
  await expect(database.db.one(contend(1, '22012'))).rejects.toMatchObject({ code: '22012' })
  expect(await database.db.one(contend(0, '22012'))).toEqual({ tried: 2 })
})
