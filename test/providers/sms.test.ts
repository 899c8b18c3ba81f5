import { describe, expect, it } from 'vitest'
import type { Phone } from '../../src/domain/phone.ts'
import type { SmsSender } from '../../src/providers/sms/port.ts'
import { sandboxSms } from '../../src/providers/sms/sandbox.ts'
import { createTaqnyat } from '../../src/providers/sms/taqnyat.ts'
import { createUnifonic } from '../../src/providers/sms/unifonic.ts'
import { never, type Received, type Scripted, testStandIn } from './stand-in.ts'

// Each adapter against a local server that follows the public documentation. Never tried against a live service.

const key = 'a-key-that-nobody-may-see'
const sms = { phone: '512345678' as Phone, text: 'رمزك 012345 — your code & more' }
const standIn = testStandIn()

interface Adapter {
  readonly name: string
  make(url: string, timeout_ms?: number): SmsSender
  readonly success: Scripted
  readonly reference: string
  /** The documented errors, with their meaning. */
  readonly errors: readonly (readonly [what: string, answer: Scripted, kind: string])[]
  /** Answers that look like a success but lack a required field. */
  readonly incomplete: readonly Scripted[]
  check(request: Received | undefined): void
}

const account = (url: string, timeout_ms?: number) => ({
  key,
  sender: 'Nuqta',
  url,
  ...(timeout_ms === undefined ? {} : { timeout_ms }),
})
const taqnyatError = (status: number, message: string, http = status): Scripted => ({
  status: http,
  body: { statusCode: status, message },
})
const taqnyatAnswer = (lists: object): Scripted => ({
  status: 201,
  body: { statusCode: 201, messageId: 6_202_144_432, cost: 1, currency: 'SAR', ...lists },
})
const unifonicError = (code: string, status = 200): Scripted => ({
  status,
  body: { success: false, message: 'text', errorCode: code, data: null },
})

const adapters: readonly Adapter[] = [
  {
    name: 'Taqnyat',
    make: (url, timeout_ms) => createTaqnyat(account(url, timeout_ms)),
    success: taqnyatAnswer({ accepted: '[966512345678,]', rejected: '[]' }),
    reference: '6202144432',
    errors: [
      ['a token that it does not know', taqnyatError(401, 'Unauthorized'), 'credentials'],
      ['a sender that is not ours', taqnyatError(403, 'Sender is not active'), 'credentials'],
      ['an invalid request', taqnyatError(400, 'Recipient is not valid'), 'refused'],
      [
        'a number that it rejects, in a success',
        taqnyatAnswer({ accepted: '[]', rejected: '[966512345678,]' }),
        'refused',
      ],
      ['an error under HTTP 200', taqnyatError(400, 'Recipient is not valid', 200), 'refused'],
      ['too many requests', taqnyatError(429, 'Too many requests'), 'refused'],
      ['an error page of a proxy', { status: 404, body: '<html>not here</html>' }, 'refused'],
      ['an error of the provider', taqnyatError(500, 'Error'), 'unknown'],
    ],
    incomplete: [{ status: 201, body: { statusCode: 201 } }],
    check(request) {
      expect(request).toMatchObject({ method: 'POST', url: '/v1/messages' })
      expect(request?.headers).toMatchObject({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })
      expect(request?.body).toEqual({ recipients: ['966512345678'], body: sms.text, sender: 'Nuqta' })
    },
  },
  {
    name: 'Unifonic',
    make: (url, timeout_ms) => createUnifonic(account(url, timeout_ms)),
    success: {
      body: { success: true, message: '', errorCode: 'ER-00', data: { MessageID: 3200017889310, Status: 'Queued' } },
    },
    reference: '3200017889310',
    errors: [
      ['a used-up balance, with HTTP 200', unifonicError('ER-01'), 'refused'],
      ['an invalid number, with HTTP 200', unifonicError('ER-02'), 'refused'],
      ['an unregistered sender, with HTTP 200', unifonicError('ER-08'), 'credentials'],
      ['a repetition of what it has just sent, as after a lost answer', unifonicError('ER-09'), 'sent'],
      ['an undocumented code', unifonicError('ER-432'), 'refused'],
      ['no application id', unifonicError('ER-402', 402), 'credentials'],
      ['a forbidden sender', { status: 480, body: 'This user cannot use specified SenderID' }, 'credentials'],
      ['a forbidden application id', unifonicError('ER-401', 401), 'credentials'],
      ['too many requests', unifonicError('ER-429', 429), 'refused'],
      ['an error of the provider', unifonicError('ER-500', 503), 'unknown'],
    ],
    incomplete: [{ body: { success: true } }, { body: { success: true, errorCode: 0 } }],
    check(request) {
      expect(request).toMatchObject({ method: 'POST', url: '/rest/SMS/messages' })
      expect(request?.body).toEqual({
        AppSid: key,
        SenderID: 'Nuqta',
        Body: sms.text,
        Recipient: '966512345678',
        responseType: 'JSON',
      })
    },
  },
]

/** Texts that no outcome may contain. */
function expectNoSecrets(outcome: object): void {
  const text = JSON.stringify(outcome)
  for (const secret of [key, '512345678', '012345']) expect(text).not.toContain(secret)
}

describe.each(adapters)('$name', (adapter) => {
  it('sends one request as documented and gives the reference', async () => {
    standIn().answer = adapter.success
    expect(await adapter.make(standIn().url).send(sms)).toEqual({ kind: 'sent', reference: adapter.reference })
    expect(standIn().received.length).toBe(1)
    adapter.check(standIn().received[0])
  })

  it.each(adapter.errors)('%s', async (_, answer, kind) => {
    standIn().answer = answer
    const outcome = await adapter.make(standIn().url).send(sms)
    expect(outcome.kind).toBe(kind)
    expectNoSecrets(outcome)
    expect(standIn().received.length).toBe(1)
  })

  it('an unreadable answer is `unknown`', async () => {
    const unreadable: Scripted[] = [
      { body: '<html>proxy</html>' },
      { body: '' },
      { body: 'null' },
      { body: [] },
      { body: 'x'.repeat(100_000) },
      ...adapter.incomplete,
    ]
    for (const answer of unreadable) {
      standIn().answer = answer
      expect(await adapter.make(standIn().url).send(sms), JSON.stringify(answer).slice(0, 80)).toMatchObject({
        kind: 'unknown',
      })
    }
  })

  it('a broken connection and a late answer are `unknown`', async () => {
    standIn().answer = { cut: true }
    expect(await adapter.make(standIn().url).send(sms)).toMatchObject({ kind: 'unknown' })
    standIn().answer = { after: never }
    const outcome = await adapter.make(standIn().url, 100).send(sms)
    expect(outcome).toMatchObject({ kind: 'unknown' })
    expectNoSecrets(outcome)
  })

  it('without a connection, nothing was sent', async () => {
    const outcome = await adapter.make('http://127.0.0.1:9').send(sms)
    expect(outcome).toEqual({ kind: 'refused', detail: 'no connection (ECONNREFUSED)' })
  })

  it('says that it reaches phones', () => {
    expect(adapter.make(standIn().url).reaches_phones).toBe(true)
  })
})

it('the sandbox sends nothing and says so', async () => {
  expect(await sandboxSms.send(sms)).toEqual({ kind: 'sent', reference: null })
  expect(sandboxSms.reaches_phones).toBe(false)
  expect(standIn().received).toEqual([])
})
