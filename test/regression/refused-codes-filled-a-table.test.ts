import { beforeAll, expect, test } from 'vitest'
import { createProgram } from '../../src/features/merchants/programs.ts'
import { createOtp } from '../../src/features/otp/service.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { sandboxSms } from '../../src/providers/sms/sandbox.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { budgetOn } from '../support/messages.ts'
import { secret_key } from '../support/secret-key.ts'

const database = testDatabase()
const secrets = createSecretBox(secret_key)

beforeAll(async () => {
  await createProgram(database.db, { name: 'First', environment: 'sandbox', now: new Date() })
})

async function counters(): Promise<number> {
  const [row] = await database.owner.run<{ n: number }>({
    text: 'select (select count(*) from rate_limit)::int + (select count(*) from limit_counter)::int as n',
    values: [],
  })
  return row?.n ?? Number.NaN
}

// What went wrong: the service counted the phone and the session before it checked the address, and kept those rows when
// the address was refused. An address long past its limit added three rows with every number.
test('an address past its limit leaves nothing behind, however many phones it names', async () => {
  const bounds = { codes_per_address_hour: 10 }
  const { sendOtp } = createOtp({
    db: database.db,
    secrets,
    sms: sandboxSms,
    host: 'localhost',
    budget: budgetOn(database.db, { bounds }),
  })
  const asked = async (times: number) => {
    const kinds = new Set<string>()
    for (let index = 0; index < times; index += 1) {
      const who = { subject_uuid: newUuid(), phone: freshPhone(), client_address: '203.0.113.9' }
      kinds.add((await sendOtp({ program_id: 1, purpose: 'wallet', locale: 'en', name: 'Points', ...who })).kind)
    }
    return [...kinds]
  }
  expect(await asked(10)).toEqual(['sent'])
  const before = await counters()
  // Two of each session, one of each phone and of each phone's strangers, and four of the address and of the budget.
  expect(before).toBe(44)
  expect(await asked(10)).toEqual(['too_many'])
  expect(await counters()).toBe(before)
})
