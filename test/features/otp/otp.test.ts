import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/db/pool.ts'
import type { Uuid } from '../../../src/domain/ids.ts'
import type { MessageBounds } from '../../../src/domain/limit.ts'
import type { Phone } from '../../../src/domain/phone.ts'
import { createProgram } from '../../../src/features/merchants/programs.ts'
import { createOtp, type OtpChecked, type OtpServices, purgeCodes } from '../../../src/features/otp/service.ts'
import { newSecretText, newUuid } from '../../../src/lib/ids.ts'
import { type Browser, withProof } from '../../../src/lib/known-browser.ts'
import { createSecretBox } from '../../../src/lib/secrets.ts'
import type { SmsOutcome, SmsProblem, SmsSender } from '../../../src/providers/sms/port.ts'
import { sandboxSms } from '../../../src/providers/sms/sandbox.ts'
import { testDatabase } from '../../support/database.ts'
import { freshPhone } from '../../support/earnings.ts'
import { budgetOn, keptMessages } from '../../support/messages.ts'
import { secret_key } from '../../support/secret-key.ts'
import { wrongFor } from '../../support/shopper.ts'

const database = testDatabase()
const secrets = createSecretBox(secret_key)
let program_id: number
let other_program_id: number

beforeAll(async () => {
  const place = { environment: 'production', now: new Date() } as const
  program_id = (await createProgram(database.db, { name: 'First', ...place })).program_id
  other_program_id = (await createProgram(database.db, { name: 'Second', ...place })).program_id
})

/** A provider that keeps its messages, and the code of the last one. */
function postbox(...outcomes: readonly SmsOutcome[]) {
  const { sms, messages: texts } = keptMessages(...outcomes)
  return { sms, texts, lastCode: () => /\d{6}/.exec(texts.at(-1) ?? '')?.[0] ?? '' }
}

/** Codes with their own pool and a clock that stands still until it is moved. */
function codes(sms: SmsSender = postbox().sms, pool = database.db, bounds: Partial<MessageBounds> = {}) {
  let now_ms = Date.now()
  const unsent: SmsProblem[] = []
  const budget = budgetOn(pool, { bounds, now: () => new Date(now_ms) })
  const otp = createOtp({
    db: pool,
    secrets,
    sms,
    host: 'pay.example',
    budget,
    now: () => new Date(now_ms),
    onUnsent: (outcome) => unsent.push(outcome),
  })
  return { ...otp, budget, unsent, now: () => new Date(now_ms), pass: (s: number) => (now_ms += s * 1000) }
}

let addresses = 0

function asking({ phone = freshPhone(), subject_uuid = newUuid() }: { phone?: Phone; subject_uuid?: Uuid } = {}) {
  addresses += 1
  const client_address = `203.0.113.${addresses % 256}`
  return { program_id, purpose: 'checkout', subject_uuid, phone, client_address, locale: 'en', name: 'Shop' } as const
}

type Asking = ReturnType<typeof asking>

/** A known browser of the phone. */
function known(phone: Phone): { phone: Phone; browser: Browser } {
  const name = newSecretText()
  return { phone, browser: { name, proofs: withProof(secrets, { name, proofs: undefined }, phone, new Date()) } }
}

const kindsOf = (outcomes: readonly { readonly kind: string }[]) =>
  Object.fromEntries(
    [...Map.groupBy(outcomes, ({ kind }) => kind)].map(([kind, all]): [string, number] => [kind, all.length]),
  )

function storedCode({ subject_uuid }: Asking) {
  return database.owner.one<Record<string, unknown>>({
    text: 'select * from otp where subject_uuid = $1',
    values: [subject_uuid],
  })
}

async function sendTo(otp: OtpServices, ask: Asking & { browser?: Browser }) {
  const sent = await otp.sendOtp(ask)
  if (sent.kind !== 'sent') throw new Error(`the code was not sent: ${sent.kind}`)
  return sent
}

describe('sending', () => {
  it('a code comes by SMS in the customer’s language, and nothing stored reveals it', async () => {
    const box = postbox()
    const otp = codes(box.sms)
    const ask = asking()
    const sent = await sendTo(otp, ask)
    expect(sent.resend_at).toEqual(new Date(otp.now().getTime() + 30_000))
    expect(box.texts).toHaveLength(1)
    const row = await storedCode(ask)
    expect(row).toMatchObject({ shown_code: null, tries: 0 })
    expect(JSON.stringify(row)).not.toContain(box.lastCode())
    const counters = await database.owner.run({ text: 'select kind, key_hash::text from rate_limit', values: [] })
    expect(JSON.stringify(counters)).not.toContain(ask.phone)
    const limits = await database.owner.run({ text: 'select c::text from limit_counter c', values: [] })
    expect(JSON.stringify(limits)).not.toContain(ask.phone)
    expect(JSON.stringify(limits)).not.toContain(ask.client_address)
    await otp.sendOtp({ ...asking(), locale: 'ar' })
    expect(box.texts.at(-1)).toMatch(/^\d{6} رمز استخدام نقاطك لدى Shop\..*\n@pay\.example #\d{6}$/)
  })

  it('a new code replaces the last, even if it goes to another phone', async () => {
    const box = postbox()
    const otp = codes(box.sms)
    const ask = asking()
    await sendTo(otp, ask)
    const first = box.lastCode()
    otp.pass(30)
    await sendTo(otp, ask)
    if (first !== box.lastCode()) expect(await otp.checkOtp({ ...ask, code: first })).toMatchObject({ kind: 'wrong' })
    const elsewhere = { ...ask, phone: freshPhone() }
    await sendTo(otp, elsewhere)
    expect(await otp.checkOtp({ ...ask, code: box.lastCode() })).toEqual({ kind: 'over' })
    expect(await otp.checkOtp({ ...elsewhere, code: box.lastCode() })).toEqual({ kind: 'right' })
  })

  it('works again after 30 seconds, and at once to another phone', async () => {
    const otp = codes()
    const ask = asking()
    const { resend_at } = await sendTo(otp, ask)
    otp.pass(29)
    expect(await otp.sendOtp(ask)).toEqual({ kind: 'too_many', retry_at: resend_at })
    await sendTo(otp, { ...ask, phone: freshPhone() })
    otp.pass(1)
    await sendTo(otp, ask)
  })

  it.each([
    ['phone in an unknown browser', 3, { phone: freshPhone() }, ''],
    ['phone in a known browser', 5, known(freshPhone()), ''],
    ['session', 5, { subject_uuid: newUuid() }, ''],
    ['address', 12, { client_address: '198.51.100.7' }, ''],
    ['home of IPv6', 12, {}, '2001:db8:1:2::'],
  ])('at most as often as a %s may ask in any hour: %i times', async (_, most, same, network) => {
    const otp = codes(undefined, undefined, { codes_per_address_hour: 12 })
    const ask = (): Asking & { browser?: Browser } => {
      const own = asking()
      const client_address = network === '' ? own.client_address : `${network}${addresses.toString(16)}`
      return { ...own, client_address, ...same }
    }
    const first_at = otp.now()
    for (let count = 0; count < most; count += 1) {
      await sendTo(otp, ask())
      otp.pass(20)
    }
    const retry_at = new Date(first_at.getTime() + 3_600_000)
    expect(await otp.sendOtp(ask())).toEqual({ kind: 'too_many', retry_at })
    otp.pass(3_600 - most * 20 - 1)
    expect(await otp.sendOtp(ask())).toEqual({ kind: 'too_many', retry_at })
    otp.pass(1)
    await sendTo(otp, ask())
    expect(await otp.sendOtp(ask())).toMatchObject({ kind: 'too_many' })
  })

  it('a refused request leaves the current code valid', async () => {
    const box = postbox()
    const otp = codes(box.sms)
    const ask = asking()
    await sendTo(otp, ask)
    const before = await storedCode(ask)
    expect(await otp.sendOtp(ask)).toMatchObject({ kind: 'too_many' })
    expect(await storedCode(ask)).toEqual(before)
    expect(box.texts).toHaveLength(1)
  })

  it('a phone gets ten codes a day, of which unknown browsers get eight', async () => {
    const otp = codes()
    const phone = freshPhone()
    const first_at = otp.now()
    for (let count = 0; count < 8; count += 1) {
      await sendTo(otp, asking({ phone }))
      otp.pass(1_200)
    }
    const tomorrow = new Date(first_at.getTime() + 86_400_000)
    expect(await otp.sendOtp(asking({ phone }))).toEqual({ kind: 'too_many', retry_at: tomorrow })
    for (let count = 0; count < 2; count += 1) await sendTo(otp, { ...asking({ phone }), ...known(phone) })
    const ask = { ...asking({ phone }), ...known(phone) }
    expect(await otp.sendOtp(ask)).toEqual({ kind: 'too_many', retry_at: tomorrow })
    otp.pass(86_400 - 8 * 1_200)
    await sendTo(otp, ask)
  })
})

describe('a provider that refuses the message', () => {
  it.each(['refused', 'credentials'] as const)(
    '%s: it was not sent, there is no code, and it costs no ask',
    async (kind) => {
      const otp = codes(postbox({ kind, detail: 'HTTP 400' }).sms)
      const ask = asking()
      for (let count = 0; count < 8; count += 1) expect(await otp.sendOtp(ask)).toEqual({ kind: 'not_sent' })
      expect(otp.unsent).toHaveLength(8)
      expect(await storedCode(ask)).toBeUndefined()
      expect(await otp.peekOtp(ask)).toBeNull()
    },
  )

  it('still counts the address, so that it cannot call the provider without limit', async () => {
    const refusing = postbox({ kind: 'refused', detail: 'HTTP 400' }).sms
    const otp = codes(refusing, undefined, { codes_per_address_hour: 10 })
    const client_address = '198.51.100.99'
    for (let count = 0; count < 10; count += 1) await otp.sendOtp({ ...asking(), client_address })
    expect(await otp.sendOtp({ ...asking(), client_address })).toMatchObject({ kind: 'too_many' })
  })

  it('or does not answer: the code may have arrived, so it is valid', async () => {
    const box = postbox({ kind: 'unknown', detail: 'no answer' })
    const otp = codes(box.sms)
    const ask = asking()
    await sendTo(otp, ask)
    expect(otp.unsent).toHaveLength(1)
    expect(await otp.checkOtp({ ...ask, code: box.lastCode() })).toEqual({ kind: 'right' })
  })
})

describe('trying', () => {
  it('a code is right once, in any script’s digits, for five minutes', async () => {
    const box = postbox()
    const otp = codes(box.sms)
    const ask = asking()
    await sendTo(otp, ask)
    const eastern = box.lastCode().replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))
    otp.pass(299)
    expect(await otp.checkOtp({ ...ask, code: eastern })).toEqual({ kind: 'right' })
    expect(await otp.checkOtp({ ...ask, code: box.lastCode() })).toEqual({ kind: 'over' })
    expect(await otp.peekOtp(ask)).toBeNull()

    const late = asking()
    await sendTo(otp, late)
    otp.pass(300)
    expect(await otp.checkOtp({ ...late, code: box.lastCode() })).toEqual({ kind: 'over' })
  })

  it('a code belongs to one session, purpose and program', async () => {
    const box = postbox()
    const otp = codes(box.sms)
    const ask = asking()
    await sendTo(otp, ask)
    const right = { ...ask, code: box.lastCode() }
    for (const other of [{ subject_uuid: newUuid() }, { purpose: 'wallet' as const }, { program_id: other_program_id }])
      expect(await otp.checkOtp({ ...right, ...other })).toEqual({ kind: 'over' })
    expect(await otp.checkOtp(right)).toEqual({ kind: 'right' })
  })

  it('five wrong tries end a code; text that cannot be a code does not count', async () => {
    const box = postbox()
    const otp = codes(box.sms)
    const ask = asking()
    await sendTo(otp, ask)
    const code = wrongFor(box.lastCode())
    for (const left of [4, 3, 2, 1]) {
      expect(await otp.checkOtp({ ...ask, code: '12345' })).toEqual({ kind: 'wrong', tries_left: left + 1 })
      expect(await otp.checkOtp({ ...ask, code })).toEqual({ kind: 'wrong', tries_left: left })
    }
    expect(await otp.checkOtp({ ...ask, code })).toEqual({ kind: 'wrong', tries_left: 0 })
    expect(await otp.checkOtp({ ...ask, code: box.lastCode() })).toEqual({ kind: 'over' })
    expect(await otp.peekOtp(ask)).toMatchObject({ tries_left: 0 })
  })

  it('a phone waits after 10 wrong codes in unknown browsers, and in a known one after 15', async () => {
    const box = postbox()
    const otp = codes(box.sms)
    const phone = freshPhone()
    const first_at = otp.now()
    const tryFiveOf = async (ask: Asking & { browser?: Browser }) => {
      await sendTo(otp, ask)
      for (let count = 0; count < 5; count += 1) await otp.checkOtp({ ...ask, code: wrongFor(box.lastCode()) })
    }
    for (let session = 0; session < 2; session += 1) await tryFiveOf(asking({ phone }))
    const ask = asking({ phone })
    await sendTo(otp, ask)
    const code = box.lastCode()
    const refused = { kind: 'too_many', retry_at: new Date(first_at.getTime() + 3_600_000) }
    expect(await otp.checkOtp({ ...ask, code })).toEqual(refused)
    const home = { ...asking({ phone }), ...known(phone) }
    await tryFiveOf(home)
    expect(await otp.checkOtp({ ...ask, ...known(phone), code })).toEqual(refused)
  })

  it('an address waits after 200 wrong codes for any phones', async () => {
    const box = postbox()
    const otp = codes(box.sms)
    const client_address = '198.51.100.66'
    const [ofAddress] = otp.budget.triesOf({ phone: freshPhone(), client_address, known: false })
    if (ofAddress === undefined) throw new Error('tries are not counted by address')
    for (let count = 0; count < 199; count += 1) await otp.budget.limits.admit([ofAddress])
    const ask = asking()
    await sendTo(otp, ask)
    const code = box.lastCode()
    expect(await otp.checkOtp({ ...ask, client_address, code: wrongFor(code) })).toMatchObject({ kind: 'wrong' })
    expect(await otp.checkOtp({ ...ask, client_address, code })).toMatchObject({ kind: 'too_many' })
    expect(await otp.checkOtp({ ...ask, code })).toEqual({ kind: 'right' })
  })
})

describe('a sandbox', () => {
  it('shows the code instead of sending it, only while it can be used, and stores it sealed', async () => {
    const otp = codes(sandboxSms)
    const ask = asking()
    expect(await otp.peekOtp(ask)).toBeNull()
    const { resend_at } = await sendTo(otp, ask)
    const peeked = await otp.peekOtp(ask)
    expect(peeked).toMatchObject({ phone: ask.phone, tries_left: 5, resend_at })
    expect(peeked?.expires_at).toEqual(new Date(otp.now().getTime() + 300_000))
    const code = peeked?.shown_code ?? ''
    expect(code).toMatch(/^\d{6}$/)
    expect(JSON.stringify(await storedCode(ask))).not.toContain(code)
    expect(String((await storedCode(ask))?.['shown_code'])).not.toContain(code)
    otp.pass(300)
    expect(await otp.peekOtp(ask)).toMatchObject({ phone: ask.phone, tries_left: 0, shown_code: null })
    otp.pass(-1)
    expect(await otp.checkOtp({ ...ask, code })).toEqual({ kind: 'right' })
    expect(await storedCode(ask)).toMatchObject({ shown_code: null })
  })
})

describe('concurrent requests from several processes', () => {
  let made: Database[] = []
  const pools = () => {
    if (made.length === 0) made = [database.connect({ size: 8 }), database.connect({ size: 8 })]
    return made
  }
  const twenty = <T>(make: (index: number) => Promise<T>) => Promise.all(Array.from({ length: 20 }, (_, i) => make(i)))

  it('20 for one phone, in known and unknown browsers: five are sent, of which unknown ones get three', async () => {
    const box = postbox()
    const processes = pools().map((pool) => codes(box.sms, pool))
    const phone = freshPhone()
    const strangers = await twenty((index) => processes[index % 2]?.sendOtp(asking({ phone })) ?? Promise.reject())
    expect(kindsOf(strangers)).toEqual({ sent: 3, too_many: 17 })
    const ask = () => ({ ...asking({ phone }), ...known(phone) })
    const outcomes = await twenty((index) => processes[index % 2]?.sendOtp(ask()) ?? Promise.reject())
    expect(kindsOf(outcomes)).toEqual({ sent: 2, too_many: 18 })
    expect(box.texts).toHaveLength(5)
  })

  it('20 of one session: one is sent, and its code is right', async () => {
    const box = postbox()
    const processes = pools().map((pool) => codes(box.sms, pool))
    const ask = asking()
    const outcomes = await twenty((index) => processes[index % 2]?.sendOtp(ask) ?? Promise.reject())
    expect(kindsOf(outcomes)).toEqual({ sent: 1, too_many: 19 })
    expect(await processes[0]?.checkOtp({ ...ask, code: box.lastCode() })).toEqual({ kind: 'right' })
  })

  it('20 wrong tries of one code: five count, and the right code fails after them', async () => {
    const box = postbox()
    const processes = pools().map((pool) => codes(box.sms, pool))
    const ask = asking()
    await processes[0]?.sendOtp(ask)
    const code = wrongFor(box.lastCode())
    const outcomes = await twenty((index) => processes[index % 2]?.checkOtp({ ...ask, code }) ?? Promise.reject())
    // The others are too many, or come after the fifth.
    expect(outcomes.filter(({ kind }) => kind === 'wrong')).toHaveLength(5)
    expect(Object.keys(kindsOf(outcomes)).filter((kind) => !['wrong', 'over', 'too_many'].includes(kind))).toEqual([])
    const left = outcomes.flatMap((one: OtpChecked) => (one.kind === 'wrong' ? [one.tries_left] : []))
    expect(left.sort()).toEqual([0, 1, 2, 3, 4])
    expect(await storedCode(ask)).toMatchObject({ tries: 5 })
    expect(await processes[1]?.checkOtp({ ...ask, code: box.lastCode() })).toEqual({ kind: 'over' })
  })

  it('20 right tries of one code: one succeeds', async () => {
    const box = postbox()
    const processes = pools().map((pool) => codes(box.sms, pool))
    const ask = asking()
    await processes[0]?.sendOtp(ask)
    const code = box.lastCode()
    const outcomes = await twenty((index) => processes[index % 2]?.checkOtp({ ...ask, code }) ?? Promise.reject())
    expect(outcomes.filter(({ kind }) => kind === 'right')).toHaveLength(1)
    expect(Object.keys(kindsOf(outcomes)).filter((kind) => !['right', 'over', 'too_many'].includes(kind))).toEqual([])
  })

  it('mixed requests and tries of few phones and addresses end without a deadlock', async () => {
    const processes = pools().map((pool) => codes(sandboxSms, pool))
    const phones = [freshPhone(), freshPhone(), freshPhone()]
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const otp = processes[index % 2]
        const ask = { ...asking({ phone: phones[index % 3] ?? freshPhone() }), client_address: `192.0.2.${index % 4}` }
        return index % 2 === 0 ? otp?.sendOtp(ask) : otp?.checkOtp({ ...ask, code: '123456' })
      }),
    )
    const kinds = Object.keys(kindsOf(outcomes.filter((one) => one !== undefined)))
    expect(kinds).toContain('sent')
    expect(kinds.filter((kind) => !['sent', 'too_many', 'over'].includes(kind))).toEqual([])
  })
})

it('codes and counters are purged after a day, not before', async () => {
  const otp = codes()
  const ask = asking()
  await sendTo(otp, ask)
  const day_ms = 86_400_000
  const before = await purgeCodes(database.db, new Date(otp.now().getTime() - day_ms))
  expect(before).toBe(0)
  await purgeCodes(database.db, new Date(otp.now().getTime() + day_ms - 60_000))
  expect(await otp.peekOtp(ask)).not.toBeNull()
  expect(await otp.sendOtp(ask)).toMatchObject({ kind: 'too_many' })
  // By then everything in this file is older. Purge it in batches of three.
  expect(await purgeCodes(database.db, new Date(Date.now() + 10 * day_ms), 3)).toBeGreaterThan(5)
  expect(await otp.peekOtp(ask)).toBeNull()
  const left = await database.owner.run({ text: 'select from rate_limit', values: [] })
  expect(left).toEqual([])
})
