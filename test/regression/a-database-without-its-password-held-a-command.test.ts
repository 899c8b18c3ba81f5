import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { troubleOf } from '../../src/cli/failure.ts'
import { DatabaseSetupError } from '../../src/db/failure.ts'
import { openDatabase } from '../../src/db/open.ts'
import { unreachable } from '../../src/db/unreachable.ts'

// Without a password in DATABASE_URL a command said "SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string", and
// ended only after a minute, when PostgreSQL closed the connection: the driver had left it open.

/** PostgreSQL's request for a password, by SCRAM. */
function askForPassword(socket: Socket): void {
  const fields = Buffer.from('SCRAM-SHA-256\0\0')
  const head = Buffer.alloc(9)
  head.write('R')
  head.writeUInt32BE(fields.length + 8, 1)
  head.writeUInt32BE(10, 5)
  socket.write(Buffer.concat([head, fields]))
}

/** PostgreSQL's answer to a password. */
function askForProof(socket: Socket): void {
  const fields = Buffer.from('r=nonce,s=c2FsdA==,i=4096')
  const head = Buffer.alloc(9)
  head.write('R')
  head.writeUInt32BE(fields.length + 8, 1)
  head.writeUInt32BE(11, 5)
  socket.write(Buffer.concat([head, fields]))
}

test('a database that asks for a password which nobody has given is left at once, and the setting is named', async () => {
  const left = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      askForPassword(socket)
      socket.once('data', () => askForProof(socket))
    })
    socket.once('close', () => left.resolve())
  })
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `postgresql://nuqta_service@127.0.0.1:${(server.address() as AddressInfo).port}/nuqta`
  const quiet = { progress: () => undefined, log: () => undefined, warn: () => undefined }
  const opened = openDatabase({ database_url: url, migration_url: url }, undefined, { as: 'command', ...quiet })
  await expect(opened).rejects.toThrow(
    'The database of DATABASE_URL cannot be used: it asks for a password, and DATABASE_URL has none; write it there, as postgresql://role:password@host/nuqta.',
  )
  await left.promise
})

test.each([
  ['28P01', 'password authentication failed for user "a"', '; correct the password in DATABASE_URL.'],
  [
    '3D000',
    'database "a" does not exist',
    '; correct its name in DATABASE_URL, or make it with deploy/postgres/roles.sql.',
  ],
  ['42501', 'permission denied for database "a"', '; let the owner of the database grant the role CONNECT on it.'],
  ['53300', 'sorry, too many clients already', '; end what else uses it, or let it have more.'],
  [
    '28000',
    'no pg_hba.conf entry for host "[local]", user "a", no encryption',
    '; let the pg_hba.conf of the server admit it.',
  ],
])('a refusal (%s) comes with what to do', (code, message, advice) => {
  const said = unreachable('DATABASE_URL', Object.assign(new Error(message), { code })).message
  expect(said).toBe(`The database of DATABASE_URL cannot be used: ${message}${advice}`)
})

test.each([
  [
    'Connection terminated due to connection timeout',
    'it does not answer; is it overloaded, or does a firewall stand between?',
  ],
  [
    'Connection terminated unexpectedly',
    'what answers there ends the connection; does DATABASE_URL lead to a PostgreSQL?',
  ],
])('what the driver says is told in other words: %s', (message, told) => {
  const error = unreachable('DATABASE_URL', new Error(message))
  expect(error.message).toBe(`The database of DATABASE_URL cannot be used: ${told}`)
})

// `nuqta doctor` said: "The database cannot be reached: The database of DATABASE_URL cannot be used: …..".
test('a sentence about a database is not put into another one', () => {
  expect(troubleOf(new DatabaseSetupError('The database cannot be used: Query read timeout.'))).toBeUndefined()
})
