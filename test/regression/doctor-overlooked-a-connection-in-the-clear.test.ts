import { expect, it } from 'vitest'
import { checkConnections } from '../../src/doctor/connection.ts'

// `nuqta doctor` said nothing when the passwords of the database, and all customers, crossed the internet without encryption.

const password = 'correct-horse'
const urlTo = (host: string, rest = '') => `postgresql://nuqta_service:${password}@${host}/nuqta${rest}`

it('a connection to a public address that is not encrypted is a problem, told once and without its password', async () => {
  const found = await checkConnections([urlTo('93.184.215.14'), urlTo('93.184.215.14:6432', '?sslmode=disable')])
  expect(found).toEqual([
    {
      check: 'connection',
      ok: false,
      detail: 'the password and all data go to 93.184.215.14 in the clear',
      advice: expect.stringContaining('?sslmode=verify-full'),
    },
  ])
})

it('one in a private network is named', async () => {
  expect(await checkConnections([urlTo('10.0.0.7'), undefined])).toEqual([
    { check: 'connection', ok: true, detail: expect.stringContaining('not encrypted to 10.0.0.7') },
  ])
})

it.each([
  urlTo('93.184.215.14', '?sslmode=verify-full'),
  urlTo('93.184.215.14', '?sslmode=no-verify'),
  urlTo('127.0.0.1'),
  urlTo('localhost:5433'),
  urlTo('[::1]'),
  urlTo('', '?host=/var/run/postgresql'),
  urlTo('%2Fvar%2Frun%2Fpostgresql'),
])('%s is fine', async (url) => {
  expect(await checkConnections([url])).toEqual([])
})
