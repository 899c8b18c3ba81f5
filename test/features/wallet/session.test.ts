import { describe, expect, it } from 'vitest'
import type { Phone } from '../../../src/domain/phone.ts'
import { createWalletSessions, purgeSessions } from '../../../src/features/wallet/session.ts'
import { testDatabase } from '../../support/database.ts'
import { earningMerchants, freshPhone, walletOf } from '../../support/earnings.ts'

const database = testDatabase()
const hour_s = 3_600
const day_s = 24 * hour_s

/** Sessions with a clock that stands still until it is moved. */
function sessions() {
  let now_ms = Date.now()
  const made = createWalletSessions(database.db, { now: () => new Date(now_ms) })
  return { ...made, pass: (s: number) => (now_ms += s * 1000) }
}

async function signedIn(made: ReturnType<typeof sessions>, program_id = 1, phone = freshPhone()) {
  const begun = await made.begin({ program_id, phone })
  const proven = await made.prove(begun.token)
  if (proven === null) throw new Error('the phone was not proven')
  return { phone, session_uuid: begun.session_uuid, before: begun.token, token: proven.token }
}

describe('a sign-in to the wallet', () => {
  it('has a customer only once the phone is proven, and then another token', async () => {
    const made = sessions()
    const phone = freshPhone()
    const { token, session_uuid } = await made.begin({ program_id: 7, phone })
    expect(token).toMatch(/^7-[0-9a-z]{26}$/)
    const session = { program_id: 7, session_uuid, phone, customer_id: null, blocked: false }
    expect(await made.read(token)).toEqual({ ...session, proven: false })
    const proven = await made.prove(token)
    expect(proven?.token).toMatch(/^7-[0-9a-z]{26}$/)
    expect(proven?.token).not.toBe(token)
    expect(await made.read(token)).toBeNull()
    expect(await made.read(proven?.token ?? '')).toEqual({ ...session, proven: true })
  })

  it('finds the active customer of the phone in its program once it is proven', async () => {
    const made = sessions()
    const [merchant] = await earningMerchants(database.db, 1)
    if (merchant === undefined) throw new Error('no merchant was made')
    const { program_id } = merchant
    const active = '500000002' as Phone
    const customer = await walletOf(database.db, program_id, active)
    const { token } = await made.begin({ program_id, phone: active })
    expect(await made.read(token)).toMatchObject({ customer_id: null })
    expect(await made.read((await made.prove(token))?.token ?? '')).toMatchObject({
      customer_id: customer?.customer_id,
    })
    const invited = await signedIn(made, program_id, '500000003' as Phone)
    expect(await made.read(invited.token)).toMatchObject({ proven: true, customer_id: null })
    const elsewhere = await signedIn(made, program_id + 1_000, active)
    expect(await made.read(elsewhere.token)).toMatchObject({ customer_id: null })
  })

  it('is proven once, by one of many concurrent tries', async () => {
    const made = sessions()
    const { token } = await made.begin({ program_id: 1, phone: freshPhone() })
    const proven = await Promise.all(Array.from({ length: 8 }, () => made.prove(token)))
    const tokens = proven.flatMap((one) => (one === null ? [] : [one.token]))
    expect(tokens).toHaveLength(1)
    expect(await made.read(tokens[0] ?? '')).toMatchObject({ proven: true })
    expect(await made.prove(tokens[0] ?? '')).toBeNull()
  })

  it('ends after an hour if the phone is not proven', async () => {
    const made = sessions()
    const { token } = await made.begin({ program_id: 1, phone: freshPhone() })
    made.pass(hour_s - 1)
    expect(await made.read(token)).toMatchObject({ proven: false })
    made.pass(1)
    expect(await made.read(token)).toBeNull()
    expect(await made.prove(token)).toBeNull()
  })

  it('ends after a day without use', async () => {
    const made = sessions()
    const { token } = await signedIn(made)
    made.pass(day_s - 1)
    expect(await made.read(token)).not.toBeNull()
    made.pass(day_s - 1)
    expect(await made.read(token)).not.toBeNull()
    made.pass(day_s)
    expect(await made.read(token)).toBeNull()
  })

  it('ends after seven days, however much it is used', async () => {
    const made = sessions()
    const { token } = await signedIn(made)
    for (let hours = 12; hours < 7 * 24; hours += 12) {
      made.pass(12 * hour_s)
      expect(await made.read(token)).not.toBeNull()
    }
    made.pass(12 * hour_s)
    expect(await made.read(token)).toBeNull()
  })

  it('ends when the customer signs out of it, or of all sessions of the phone', async () => {
    const made = sessions()
    const phone = freshPhone()
    const tabs = [await signedIn(made, 1, phone), await signedIn(made, 1, phone), await signedIn(made, 1, phone)]
    const others = [await signedIn(made), await signedIn(made, 2, phone)]
    const [first] = tabs
    await made.end(first?.token ?? '')
    expect(await Promise.all(tabs.map(async ({ token }) => (await made.read(token)) !== null))).toEqual([
      false,
      true,
      true,
    ])
    expect(await made.endAll({ program_id: 1, phone })).toBe(2)
    for (const { token } of tabs) expect(await made.read(token)).toBeNull()
    for (const { token } of others) expect(await made.read(token)).not.toBeNull()
  })

  it('is stored without its token', async () => {
    const made = sessions()
    const { token, session_uuid } = await signedIn(made)
    const row = await database.owner.one<{ text: string }>({
      text: 'select wallet_session::text as text from wallet_session where session_uuid = $1',
      values: [session_uuid],
    })
    const [, secret = ''] = token.split('-')
    expect(secret).toHaveLength(26)
    expect(row?.text).not.toContain(secret)
    expect(row?.text).not.toContain(Buffer.from(secret).toString('hex'))
  })

  it.each([
    '',
    '1',
    '1-',
    '-abcdefghjkmnpqrstvwxyz0123',
    '0-00000000000000000000000000',
    '1-0000000000000000000000000',
    '1-000000000000000000000000000',
    '1-0000000000000000000000000u',
    '99999999999999999999-00000000000000000000000000',
    "1-' or true --",
  ])('no session has the token %j', async (token) => {
    const made = sessions()
    expect(await made.read(token)).toBeNull()
    expect(await made.prove(token)).toBeNull()
    await made.end(token)
  })

  it('a token of one program opens nothing in another', async () => {
    const made = sessions()
    const { token } = await signedIn(made, 1)
    expect(await made.read(token.replace(/^1-/, '2-'))).toBeNull()
  })
})

it('sessions are purged once they expire, not before', async () => {
  const made = sessions()
  const [merchant] = await earningMerchants(database.db, 1)
  const { token, session_uuid } = await signedIn(made, merchant?.program_id)
  const isKept = async () =>
    (await database.owner.run({ text: 'select from wallet_session where session_uuid = $1', values: [session_uuid] }))
      .length === 1
  await purgeSessions(database.db, new Date(Date.now() + 6 * day_s * 1000))
  expect(await made.read(token)).not.toBeNull()
  expect(await isKept()).toBe(true)
  await purgeSessions(database.db, new Date(Date.now() + 8 * day_s * 1000), 1)
  expect(await isKept()).toBe(false)
})
