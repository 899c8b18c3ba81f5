import { afterAll, beforeAll, expect, test } from 'vitest'
import { scratch } from '../cli/command.ts'
import { testDatabase } from '../support/database.ts'
import { visitor } from '../support/visitor.ts'
import { waitFor } from '../support/wait.ts'
import { type Service, startService } from './service.ts'

// Two real processes of a sandbox on one database, with limits from the settings: each counts the codes of the other.

const database = testDatabase()
const { path: home } = scratch()
const env = { NUQTA_CODES_PER_ADDRESS_HOUR: '4', NUQTA_SMS_PER_HOUR: '8', NUQTA_LOG_LEVEL: 'warn' }
let left: Service
let right: Service

beforeAll(async () => {
  left = await startService({ home, name: 'left', database, env })
  right = await startService({ home, name: 'right', database, env })
})
afterAll(async () => {
  await Promise.all([left.end('SIGTERM'), right.end('SIGTERM')])
})

let numbered = 0

/** Requests a code for a new phone; tells whether it is sent. */
async function ask({ client }: Service, path = '/wallet'): Promise<boolean> {
  numbered += 1
  const browser = visitor((method, to, options) => client.call(method, to, options))
  await browser.open(path)
  const { text } = await browser.submit({ phone: `0534${String(numbered).padStart(6, '0')}` })
  return text.includes('data-code')
}

test('an address has its codes from both processes and all programs together, until the clock moves on', async () => {
  await left.command(['program', 'create', 'Another'])
  const [{ program_id } = { program_id: 0 }] = await database.owner.run<{ program_id: number }>({
    text: `select program_id from program where name = 'Another'`,
    values: [],
  })
  const another = `/wallet?program=${program_id}`
  const sent = [await ask(left), await ask(right, another), await ask(left, another), await ask(right)]
  expect(sent).toEqual([true, true, true, true])
  expect([await ask(left), await ask(right), await ask(left, another), await ask(right, another)]).toEqual([
    false,
    false,
    false,
    false,
  ])
  const half = 'half of the text messages that an hour may have are sent'
  await expect.poll(() => left.stderr() + right.stderr()).toContain(half)
  expect(left.stderr() + right.stderr()).not.toMatch(/534\d{6}/)
  await left.command(['clock', 'advance', '61m'])
  await waitFor('a code, by the clock that was moved', () => ask(right))
  expect(await ask(left)).toBe(true)
})
