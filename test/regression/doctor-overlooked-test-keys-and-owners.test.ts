import { beforeAll, expect, it } from 'vitest'
import { checkRole } from '../../src/doctor/database.ts'
import { nuqta } from '../cli/command.ts'
import { makeMerchant } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { production } from '../support/production.ts'

// What went wrong: `nuqta doctor` was content with a production that took payments with a test key, or whose service connected
// as a role that can alter the ledger.

const database = testDatabase()

let merchant_id: number

beforeAll(async () => {
  merchant_id = (await makeMerchant(database.db)).merchant_id
  await database.owner.script("update deployment set environment = 'production'")
})

/** What the doctor of a production says of these. */
async function findings(more: Readonly<Record<string, string>> = {}) {
  const env = { ...production, DATABASE_URL: database.url, NUQTA_SECRET_KEY: '0123456789abcdef'.repeat(4), ...more }
  const { json } = await nuqta(['doctor', '--json', '--role', 'worker'], { cwd: '/', env })
  return json.filter(({ check }) => check === 'role' || check === 'payments')
}

const moyasar = (secret_key: string) => ({
  NUQTA_PAYMENT_MOYASAR_SECRET_KEY: secret_key,
  NUQTA_PAYMENT_MOYASAR_WEBHOOK_SECRET: 'a secret token',
})

it('a test key is a problem, a live key is none', async () => {
  expect(await findings(moyasar('sk_test_abcdefghijklmnop'))).toMatchObject([{ check: 'payments', ok: false }])
  expect(await findings(moyasar('sk_live_abcdefghijklmnop'))).toEqual([])
})

it("a merchant's own test key is said to be one", async () => {
  const env = { ...production, DATABASE_URL: database.url, NUQTA_SECRET_KEY: '0123456789abcdef'.repeat(4) }
  const args = ['merchant', 'payment', String(merchant_id), '--provider', 'moyasar', '--credentials', '-']
  const given = (secret_key: string) =>
    nuqta(args, { cwd: '/', env, input: `secret_key=${secret_key}\nwebhook_secret=told\n` })
  expect((await given('sk_test_abcdef')).stderr).toContain('This is a test key')
  expect(await given('sk_live_abcdef')).toMatchObject({ code: 0, stderr: '' })
})

it('the owner of the tables is named', async () => {
  const undone = new Error('undone')
  const looked = database.owner.transaction(async (tx) => {
    await tx.script('create role owner_here; grant usage on schema public to owner_here')
    await tx.script('alter table entry owner to owner_here; set local role owner_here')
    expect(await checkRole(tx)).toMatchObject([
      { check: 'role', ok: true, detail: expect.stringContaining('owner_here') },
    ])
    throw undone
  })
  await expect(looked).rejects.toBe(undone)
})

it('a superuser is a problem, and a role of few rights is fine', async () => {
  expect(await findings({ DATABASE_URL: database.owner_url })).toMatchObject([{ check: 'role', ok: false }])
  expect(await findings()).toEqual([])
})
