import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { terms } from '../../src/domain/terms.ts'
import { scratch } from '../cli/command.ts'
import { dataOf } from '../http/client.ts'
import { purchase } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { wrongFor } from '../support/shopper.ts'
import { type Visitor, visitor } from '../support/visitor.ts'
import { type Service, startService } from './service.ts'

// A real service that logs everything it can: signing in and being invited leave no trace of who it was.

const database = testDatabase()
const { path: home } = scratch()
let service: Service

beforeAll(async () => {
  service = await startService({ home, database, env: { NUQTA_LOG_LEVEL: 'trace' } })
})
afterAll(async () => {
  await service.end('SIGTERM')
})

const phone = '543219871'
const name = 'Noura Alqahtani'
const codeOf = (page: string) => /data-code>(\d{6})</.exec(page)?.[1] ?? ''

async function signIn(browser: Visitor): Promise<string> {
  await browser.open('/wallet?lang=en')
  const asked = await browser.submit({ phone: `٠${phone}` })
  const code = codeOf(asked.text)
  expect(code).toMatch(/^\d{6}$/)
  await browser.submit({ do: 'code', code: wrongFor(code) })
  await browser.submit({ do: 'code', code })
  return code
}

test('a customer is invited by a first earning, signs in, joins, and finds the points; the log knows nothing of it', async () => {
  await service.command(['program', 'set', 'Default', '--activation', 'required'])
  const { private_key } = await service.merchant('Discreet Tea')
  const earned = dataOf(await service.earn(private_key, purchase({ phone_number: phone, total_price: 25 })))
  expect(earned).toMatchObject({ pending_client_activation: true })
  await vi.waitFor(
    async () => {
      const [message] = await database.owner.run({ text: 'select state from sms_queue', values: [] })
      expect(message).toEqual({ state: 'sent' })
    },
    { timeout: 120_000 },
  )

  const browser = visitor((method, path, options) => service.client.call(method, path, options))
  const code = await signIn(browser)
  const token = browser.cookies.get('__Host-nuqta-wallet') ?? ''
  const [, secret = ''] = token.split('-')
  expect(secret).toHaveLength(26)
  const consents = () =>
    database.owner.run({
      text: `select k.terms_version, k.source from consent k
        join customer c on c.program_id = k.program_id and c.customer_id = k.customer_id where c.phone = $1`,
      values: [phone],
    })
  expect(await consents()).toEqual([])
  const joined = await browser.submit({ do: 'join', name, terms: terms.version })
  expect(joined.status).toBe(200)
  expect(joined.text).toContain('250')
  expect(await consents()).toEqual([{ terms_version: terms.version, source: 'wallet' }])

  // Lines leave together, ten times a second.
  await expect.poll(() => service.stderr().split('"method":"POST"').length).toBeGreaterThan(4)
  const log = service.stderr()
  const secrets = [phone, `٠${phone}`, name, 'Noura', secret, token]
  expect(secrets.filter((each) => log.includes(each))).toEqual([])
  // A longer number may contain the six digits by chance: look for them alone.
  for (const digits of [code, wrongFor(code)]) expect(log).not.toMatch(new RegExp(`(?<!\\d)${digits}(?!\\d)`))
})
