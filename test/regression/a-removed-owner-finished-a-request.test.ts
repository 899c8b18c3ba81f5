import { expect, test } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, type Person } from '../support/staff.ts'
import { waitForLocks } from '../support/wait.ts'

// Who may do something was read when a request began. Whoever was removed, demoted or kept out while it waited for the
// merchant got the new private key all the same.

const database = testDatabase()
const started = testApp(database)

const provider = { provider: 'sandbox', flow: 'sale' }

async function shop() {
  const app = started()
  const { program_id, merchant_id } = await makeMerchant(app.db)
  const person = () => makePerson(app, { program_id, merchant_id, role: 'owner' })
  const [stays, goes, operator] = [await person(), await person(), await makePerson(app, 'operator')]
  const { body } = await goes.call('GET', `/merchants/${merchant_id}/payment`)
  const { version } = body.data as { version: string }
  return { app, program_id, merchant_id, stays, goes, operator, version }
}

type Shop = Awaited<ReturnType<typeof shop>>

/** Sends a request that waits for the merchant, and lets something happen meanwhile. */
async function during(
  { program_id, merchant_id }: Shop,
  request: () => Promise<unknown>,
  meanwhile: () => Promise<unknown>,
) {
  let sent: Promise<unknown> = Promise.resolve()
  await database.owner.transaction(async (tx) => {
    const text = 'select from merchant where program_id = $1 and merchant_id = $2 for update'
    await tx.run({ text, values: [program_id, merchant_id] })
    sent = request()
    await waitForLocks(database.owner)
    await meanwhile()
  })
  return sent
}

const acts = [
  ['gets no new key', 'POST', 'keys/regenerate', () => ({ which: 'private' })],
  ['gets no secret of checkouts', 'POST', 'signed-checkouts', () => ({ signed_checkouts: true })],
  ['changes no payment', 'PUT', 'payment', ({ version }: Shop) => ({ version, ...provider, methods: [] })],
] as const

const ends = [
  [
    'removed',
    ({ stays, goes, merchant_id }: Shop) => stays.call('DELETE', `/merchants/${merchant_id}/team/${goes.staff_uuid}`),
  ],
  [
    'demoted',
    ({ stays, goes, merchant_id }: Shop) =>
      stays.call('PATCH', `/merchants/${merchant_id}/team/${goes.staff_uuid}`, { role: 'manager' }),
  ],
  ['signed out', ({ goes }: Shop) => goes.call('POST', '/sign-out')],
] as const

const recorded = (person: Person) =>
  database.owner.run({
    text: `select action from audit where actor = $1 and action <> 'session.end'`,
    values: [person.email],
  })

test.each(acts.flatMap(([gets, ...act]) => ends.map(([end, make]) => ({ gets, act, end, make }))))(
  'whoever was $end meanwhile $gets',
  async ({ act: [method, path, json], make }) => {
    const made = await shop()
    const { goes, merchant_id } = made
    const request = () =>
      goes.call(method, `/merchants/${merchant_id}/${path}`, json(made), { 'idempotency-key': 'one' })
    const { status, body } = (await during(made, request, () => make(made))) as Awaited<ReturnType<typeof request>>
    expect([401, 403]).toContain(status)
    expect(body.data).toBeUndefined()
    expect(await recorded(goes)).toEqual([])
  },
)

test.each(acts)('whoever stays waits and goes on: the request that otherwise %s', async (_, method, path, json) => {
  const made = await shop()
  const { stays, merchant_id } = made
  const request = () => stays.call(method, `/merchants/${merchant_id}/${path}`, json(made))
  const reply = (await during(made, request, async () => undefined)) as Awaited<ReturnType<typeof request>>
  expect(reply.status).toBe(200)
})
