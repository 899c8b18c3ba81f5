import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { expect, it, vi } from 'vitest'
import { csrfOf } from '../../src/features/staff/sessions.ts'
import { makeMerchant, purchase, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'

const database = testDatabase({ leaves: ['due deliveries'] })
const started = testApp(database)

// Keys and sessions were checked when the headers came. A body that came 10 s later was taken with a key that was revoked by
// then.

/** Sends headers and the first byte of a body, runs `meanwhile`, then sends the rest; gives the status. */
async function sentInTwo(head: string, body: string, meanwhile: () => Promise<unknown>): Promise<string> {
  const { port, ca } = started()
  const socket = connect({ port, host: '127.0.0.1', ca, servername: 'localhost' })
  let answer = ''
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part
  })
  const over = new Promise((resolve) => socket.once('end', resolve))
  await new Promise((resolve) => socket.once('secureConnect', resolve))
  const fixed = `Host: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`
  socket.write(`${head}${fixed}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`)
  // The server says that it has read the headers.
  await expect.poll(() => answer).toContain('100 Continue')
  socket.write(body.slice(0, 1))
  // One more request: by its answer the check of the first is over.
  await started().get('/v1/orders/0193e7a1-4b2c-7def-8123-456789abcdef', 'sk_test_unknown')
  await meanwhile()
  socket.write(body.slice(1))
  await over
  return answer.split('\r\n\r\n').at(1)?.slice(9, 12) ?? ''
}

/** Sends a request in one piece; gives what the server sends. */
async function sentInOne(request: string): Promise<string> {
  const { port, ca } = started()
  const socket = connect({ port, host: '127.0.0.1', ca, servername: 'localhost' })
  socket.write(request)
  return text(socket)
}

it('a request whose key is revoked before its body is whole is refused', async () => {
  const app = started()
  const shop = await makeMerchant(app.db)
  const { program_id, merchant_id, private_key } = shop
  const { uuid } = (await app.post('/v1/orders/earning', private_key, purchase())).body.data as { uuid: string }
  const owner = await makePerson(app, { program_id, merchant_id, role: 'owner' })
  const head = `POST /api/v1/orders/${uuid}/refund HTTP/1.1\r\nx-api-key: ${private_key}\r\n`
  const status = await sentInTwo(head, '{"amount":100}', async () => {
    const path = `/merchants/${merchant_id}/keys/regenerate`
    expect((await owner.call('POST', path, { which: 'private' })).status).toBe(200)
  })
  expect(status).toBe('400')
})

it('a request whose key stays is answered, however late its body comes', async () => {
  const app = started()
  const { private_key } = await makeMerchant(app.db)
  const head = `POST /api/v1/orders/earning HTTP/1.1\r\nx-api-key: ${private_key}\r\n`
  expect(await sentInTwo(head, JSON.stringify(purchase()), async () => undefined)).toBe('200')
})

it('a request that comes in one piece has its key looked up once', async () => {
  const app = started()
  const { private_key } = await makeMerchant(app.db)
  const run = vi.spyOn(app.db, 'run')
  try {
    const body = JSON.stringify(purchase())
    const head = `POST /api/v1/orders/earning HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n`
    const answer = await sentInOne(
      `${head}x-api-key: ${private_key}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
    expect(answer).toContain('HTTP/1.1 200')
    const asked = run.mock.calls.map(([statement]) => JSON.stringify(statement))
    expect(asked.filter((statement) => statement.includes('private_key_hash = '))).toHaveLength(1)
  } finally {
    run.mockRestore()
  }
})

it('a request whose session is ended before its body is whole is refused', async () => {
  const app = started()
  const { program_id, merchant_id } = await makeMerchant(app.db)
  const [ended, other] = [await makePerson(app, 'operator'), await makePerson(app, 'operator')]
  const token = ended.cookies.get('__Host-nuqta-session') ?? ''
  const path = `/dashboard/api/programs/${program_id}/merchants/${merchant_id}/suspend`
  const signed = `x-csrf-token: ${csrfOf(token)}\r\nCookie: __Host-nuqta-session=${token}\r\n`
  const head = `POST ${path} HTTP/1.1\r\nSec-Fetch-Site: same-origin\r\n${signed}`
  const status = await sentInTwo(head, '{"reason":"Revenge","keys_off":true}', async () => {
    expect((await other.call('POST', `/operator/people/${ended.staff_uuid}/disable`)).status).toBe(200)
  })
  expect(status).toBe('401')
})
