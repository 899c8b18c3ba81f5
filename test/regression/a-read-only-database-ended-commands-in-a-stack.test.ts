import { expect, test } from 'vitest'
import { explainFailure } from '../../src/cli/failure.ts'
import { CommitUnknown } from '../../src/db/failure.ts'
import { nuqta, runningService } from '../cli/command.ts'

// After a switch to a standby, `nuqta merchant create` ended in a stack, as did every command whose role has no rights yet:
// nobody had run `nuqta migrate` for it. A full disk, a database without free connections, a statement that took too long and a
// commit whose end is unknown were told in the same way.

const { cwd, env } = runningService()

test('a command says that the database takes no writes, and what to do', async () => {
  const standby = new URL(env['DATABASE_URL'] ?? '')
  standby.searchParams.set('options', '-c default_transaction_read_only=on')
  const { code, stdout, stderr } = await nuqta(['merchant', 'create', '--name', 'Corner'], {
    cwd,
    env: { ...env, DATABASE_URL: standby.href },
  })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(
    /^The database takes no writes \(cannot execute \S+ in a read-only transaction\): point DATABASE_URL at the primary server\.\n$/,
  )
})

const failed = (code: string, message: string) => Object.assign(new Error(message), { code })

test.each([
  [
    failed('42501', 'permission denied for table merchant'),
    /^The role of this connection lacks a right \(.*merchant\): run nuqta migrate/,
  ],
  [
    failed('53100', 'could not extend file'),
    'The database is out of room (could not extend file): make some, then run this again.',
  ],
  [
    new CommitUnknown(new Error('Connection terminated')),
    /^The database went away while the change was committed: look whether/,
  ],
  [
    failed('53300', 'too many connections for role "nuqta_service"'),
    /^The database gives no more connections \(too many connections for role "nuqta_service"\): end what else uses it,/,
  ],
  [
    failed('57014', 'canceling statement due to statement timeout'),
    'The database cannot do this now: canceling statement due to statement timeout.',
  ],
  [
    failed('ENOSPC', 'ENOSPC: no space left on device, write'),
    'The disk is full (ENOSPC: no space left on device, write): make some room, then run this again.',
  ],
  [
    Object.assign(failed('EACCES', "EACCES: permission denied, open '/data/tls/ca.pem'"), { path: '/data/tls/ca.pem' }),
    '/data/tls/ca.pem is closed to this user (EACCES): run as its owner, or give it to this user.',
  ],
  [failed('57P01', 'terminating connection'), 'The database cannot be reached: terminating connection.'],
])('%s is one sentence', (error, said) => {
  const { lines, code } = explainFailure(error)
  expect([lines, code]).toEqual([typeof said === 'string' ? said : expect.stringMatching(said), 1])
})
