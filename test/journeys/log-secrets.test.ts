import { afterAll, beforeAll, expect, test } from 'vitest'
import { scratch } from '../cli/command.ts'
import { dataOf } from '../http/client.ts'
import { purchase } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { waitFor } from '../support/wait.ts'
import { earning_path, type MadeMerchant, type Service, startService } from './service.ts'

const database = testDatabase()
const { path: home } = scratch()
let service: Service
let merchant: MadeMerchant

beforeAll(async () => {
  service = await startService({ home, database, env: { NUQTA_LOG_LEVEL: 'trace' } })
  merchant = await service.merchant('Discreet')
})
afterAll(async () => {
  await service.end('SIGTERM')
})

const name = 'Noura Alqahtani'
const phone = '543219876'
/** Of a customer who is made by the earning that the database refuses. */
const fresh = '543219877'
const shipping_address = { line1: '7 Jasmine Street' }
const written = ['0543219876', '+966 54 321 9876', '00966-54-3219876', '٠٥٤٣٢١٩٨٧٦', '(054) 3219876']

test('no key, phone number or name is logged, wherever a client puts it and however it ends', async () => {
  const { private_key: key, public_key } = merchant
  const { client } = service
  for (const phone_number of written) dataOf(await service.earn(key, purchase({ phone_number, name })))
  const repeated = purchase({ phone_number: phone, name })
  await Promise.all(Array.from({ length: 20 }, () => service.earn(key, repeated)))
  await service.earn(key, purchase({ phone_number: `${phone}1`, name, total_price: -1 }))
  await service.earn(public_key, repeated)
  await service.earn(`${key}${public_key}`, repeated)
  await client.call('POST', `${earning_path}?x-api-key=${key}&phone_number=${phone}&name=${encodeURIComponent(name)}`)
  await client.call('GET', `/api/v1/orders/${key}`, { key })
  await client.call('GET', `/api/v1/orders/${phone}`, { key })
  await client.call('GET', `/${key}/${public_key}/${phone}/${encodeURIComponent(name)}`, { key })
  await client.call('PUT', `${earning_path}/${key}`, { key })
  const headers = {
    authorization: `Bearer ${key}`,
    cookie: `key=${key}`,
    'user-agent': key,
    referer: `https://x/${key}`,
  }
  await client.call('POST', earning_path, { json: repeated, headers: { ...headers, 'accept-language': key } })
  await client.call('POST', earning_path, {
    key,
    bytes: JSON.stringify(repeated).slice(0, -1),
    headers: { 'content-type': 'application/json' },
  })
  await client.call('POST', earning_path, { key, bytes: `${key} ${name}`, headers: { 'content-type': `text/${key}` } })
  await client.raw(`GET /${key} HTTP/1.1\r\nhost: x\r\nx-api-key ${key}\r\n\r\n`)
  await client.raw(`${key} /${key} HTTP/1.1\r\n\r\n`)
  await client.rawPlain(`POST ${earning_path}?key=${key} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`)
  for (const phone_number of [phone, fresh]) {
    await breakTheDatabase(() => service.earn(key, purchase({ phone_number, name, shipping_address })))
  }

  await service.command(['wallet', 'show', phone])
  // Lines leave in batches, in their order: those of the last answer are the last.
  await waitFor('the last error in the log', () => service.stderr().split('unexpected error').length > 4)
  const log = service.stderr()
  expect(log.split('\n').length).toBeGreaterThan(30)
  const secrets = [
    key,
    public_key,
    phone,
    fresh,
    ...written,
    shipping_address.line1,
    name,
    encodeURIComponent(name),
    'Noura',
    'Alqahtani',
  ]
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([])
  for (const line of log.split('\n')) if (line.startsWith('{')) expect(() => JSON.parse(line)).not.toThrow()
})

/** Every insert of an order now fails, and PostgreSQL tells the row that failed. */
async function breakTheDatabase(
  work: () => Promise<{ readonly status: number; readonly text: string }>,
): Promise<void> {
  const constraint = 'constraint broken_on_purpose'
  const tables = ['orders', 'customer']
  for (const table of tables)
    await database.owner.script(`alter table ${table} add ${constraint} check (false) not valid`)
  try {
    for (let count = 0; count < 2; count += 1) {
      const { status, text } = await work()
      expect(status).toBe(500)
      expect(text).not.toMatch(/constraint|broken|relation|orders_/)
    }
  } finally {
    for (const table of tables) await database.owner.script(`alter table ${table} drop ${constraint}`)
  }
}
