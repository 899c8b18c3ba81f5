import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/pool.ts'
import type { MessageBounds } from '../../src/domain/limit.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { createProgram } from '../../src/features/merchants/programs.ts'
import { createOtp, type OtpServices } from '../../src/features/otp/service.ts'
import { newSecretText, newUuid } from '../../src/lib/ids.ts'
import type { Browser } from '../../src/lib/known-browser.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import type { SmsOutcome } from '../../src/providers/sms/port.ts'
import { resetLimits } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { budgetOn, keptMessages } from '../support/messages.ts'
import { secret_key } from '../support/secret-key.ts'
import { wrongFor } from '../support/shopper.ts'

// What went wrong: limits were counted by program, and anybody can open each program at /wallet?program=N. One phone got 15
// codes an hour from three programs, one address sent 300, and each program limited wrong codes separately.

const database = testDatabase()
const secrets = createSecretBox(secret_key)
const programs = [1, 2, 3]
let pools: Database[] = []

beforeAll(async () => {
  const place = { environment: 'production', now: new Date() } as const
  for (const name of ['First', 'Second', 'Third']) await createProgram(database.db, { name, ...place })
  pools = [database.connect({ size: 4 }), database.connect({ size: 4 })]
})
beforeEach(() => resetLimits(database))

interface Deployment {
  /** Two processes. */
  readonly processes: readonly OtpServices[]
  readonly texts: string[]
  pass(s: number): void
}

function deployment(bounds: Partial<MessageBounds> = {}, ...outcomes: readonly SmsOutcome[]): Deployment {
  let now_ms = Date.now()
  const now = () => new Date(now_ms)
  const { sms, messages: texts } = keptMessages(...outcomes)
  const processes = pools.map((db) =>
    createOtp({ db, secrets, sms, now, host: 'localhost', budget: budgetOn(db, { bounds, now }) }),
  )
  return { processes, texts, pass: (s) => (now_ms += s * 1_000) }
}

let asked = 0

/** Requests a code for a new session, address and phone, alternating between programs and processes. */
async function send(
  { processes }: Deployment,
  own: { phone?: Phone; client_address?: string; program_id?: number; browser?: Browser } = {},
) {
  asked += 1
  const program_id = programs[asked % programs.length] ?? 1
  const client_address = `203.0.${asked % 100}.${asked % 256}`
  const ask = {
    ...{ program_id, client_address, phone: freshPhone(), ...own },
    ...({ purpose: 'wallet', subject_uuid: newUuid(), locale: 'en', name: 'Points' } as const),
  }
  const otp = processes[asked % processes.length]
  if (otp === undefined) throw new Error('no process')
  return { ask, otp, ...(await otp.sendOtp(ask)) }
}

async function countSent(times: number, ask: () => ReturnType<typeof send>): Promise<number> {
  let sent = 0
  for (let count = 0; count < times; count += 1) if ((await ask()).kind === 'sent') sent += 1
  return sent
}

function knownBrowser({ processes: [otp] }: Deployment, phone: Phone): Browser {
  if (otp === undefined) throw new Error('no process')
  const name = newSecretText()
  return { name, proofs: otp.knowBrowser({ name, proofs: undefined }, phone) }
}

describe('in every program and process', () => {
  it('a phone gets three codes an hour from unknown browsers, and five in all', async () => {
    const all = deployment()
    const phone = freshPhone()
    expect(await countSent(12, () => send(all, { phone }))).toBe(3)
    const browser = knownBrowser(all, phone)
    expect(await countSent(12, () => send(all, { phone, browser }))).toBe(2)
    expect(all.texts).toHaveLength(5)
    all.pass(3_600)
    expect((await send(all, { phone })).kind).toBe('sent')
  })

  it('a phone is tried with ten wrong codes an hour by unknown browsers, and with fifteen in all', async () => {
    const all = deployment()
    const phone = freshPhone()
    const tryFive = async (own: { browser?: Browser }) => {
      const { ask, otp } = await send(all, { phone, ...own })
      const right = /\d{6}/.exec(all.texts.at(-1) ?? '')?.[0] ?? ''
      const code = wrongFor(right)
      const kinds: string[] = []
      for (let count = 0; count < 5; count += 1) kinds.push((await otp.checkOtp({ ...ask, code })).kind)
      return kinds
    }
    expect([...(await tryFive({})), ...(await tryFive({}))]).toEqual(Array(10).fill('wrong'))
    expect(await tryFive({})).toEqual(Array(5).fill('too_many'))
    const browser = knownBrowser(all, phone)
    expect(await tryFive({ browser })).toEqual(Array(5).fill('wrong'))
    expect(await tryFive({ browser })).toEqual(Array(5).fill('too_many'))
  })

  it('an address has one limit of codes an hour, for all phones together', async () => {
    const all = deployment({ codes_per_address_hour: 10 })
    expect(await countSent(15, () => send(all, { client_address: '198.51.100.1' }))).toBe(10)
    expect((await send(all)).kind).toBe('sent')
  })

  it('an IPv6 /56 counts as one address, and a /48 of many has a bound of its own', async () => {
    const all = deployment({ codes_per_address_hour: 4, codes_per_site_hour: 10 })
    const from = (home: number) => {
      asked += 1
      return send(all, { client_address: `2001:db8:7:${home.toString(16)}00::${asked.toString(16)}` })
    }
    expect(await countSent(6, () => from(1))).toBe(4)
    expect(await countSent(6, () => from(2))).toBe(4)
    expect(await countSent(6, () => from(3))).toBe(2)
    expect((await send(all, { client_address: '2001:db8:8::1' })).kind).toBe('sent')
  })

  it('a message that the provider refuses counts for the address, not for the phone', async () => {
    const all = deployment({ codes_per_address_hour: 12 }, { kind: 'refused', detail: 'HTTP 400' })
    const phone = freshPhone()
    for (let count = 0; count < 6; count += 1)
      expect((await send(all, { phone, client_address: '198.51.100.2' })).kind).toBe('not_sent')
    for (let count = 0; count < 6; count += 1) await send(all, { client_address: '198.51.100.2' })
    expect((await send(all, { client_address: '198.51.100.2' })).kind).toBe('too_many')
  })
})

describe('the budget of messages', () => {
  const of = { program_id: 1 }

  it('gives unknown browsers a half, and known browsers the rest', async () => {
    const all = deployment({ messages_per_hour: 12 })
    expect(await countSent(10, () => send(all, of))).toBe(6)
    const ask = () => {
      const phone = freshPhone()
      return send(all, { ...of, phone, browser: knownBrowser(all, phone) })
    }
    expect(await countSent(10, ask)).toBe(6)
    all.pass(3_660)
    expect((await send(all, of)).kind).toBe('sent')
  })

  it('gives one program at most half of it while others ask', async () => {
    const all = deployment({ messages_per_hour: 40 })
    expect((await send(all, { program_id: 2 })).kind).toBe('sent')
    expect(await countSent(25, () => send(all, of))).toBe(10)
    expect(await countSent(15, () => send(all, { program_id: 2 }))).toBe(9)
  })

  it('gives freed messages to a late program before the one that has used them all', async () => {
    const all = deployment({ messages_per_hour: 8 })
    expect(await countSent(6, () => send(all, of))).toBe(4)
    expect((await send(all, { program_id: 2 })).kind).toBe('too_many')
    all.pass(3_300)
    expect((await send(all, { program_id: 2 })).kind).toBe('too_many')
    all.pass(330)
    expect(await countSent(6, () => send(all, of))).toBe(2)
    expect(await countSent(6, () => send(all, { program_id: 2 }))).toBe(2)
  })
})
