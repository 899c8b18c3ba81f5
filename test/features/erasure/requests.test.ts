import { tmpdir } from 'node:os'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Uuid } from '../../../src/domain/ids.ts'
import type { Phone } from '../../../src/domain/phone.ts'
import { claimDeployment } from '../../../src/features/deployment/service.ts'
import { doErasures, eraseRequested } from '../../../src/features/erasure/job.ts'
import { eraseCustomer, eraseNow } from '../../../src/features/erasure/service.ts'
import { createSecretBox } from '../../../src/lib/secrets.ts'
import { nuqta } from '../../cli/command.ts'
import { defaults, purchase } from '../../support/api.ts'
import { checkoutStage } from '../../support/checkout-stage.ts'
import { testDatabase } from '../../support/database.ts'
import { freshPhone, walletOf } from '../../support/earnings.ts'
import { customerWith } from '../../support/orders.ts'
import type { Person } from '../../support/staff.ts'

// An operator requests an erasure on the page. A process with the owner's rights performs it once, whatever dies meanwhile.
// It waits with its reason, and afterwards the request keeps nothing about the person.

const database = testDatabase({ leaves: ['due messages'] })
const stage = checkoutStage(database)
const secrets = createSecretBox(defaults.secret_key)
const by = { source: 'command', name: 'Root' } as const
const warned: object[] = []
const log = { warn: (about: object) => void warned.push(about) }
let operator: Person
let program_id: number

beforeAll(async () => {
  await claimDeployment(database.db, 'sandbox')
  program_id = stage.shop.merchant.program_id
  operator = await stage.person('operator')
})

interface Request {
  readonly request_uuid: Uuid
  readonly state: string
  readonly reason: string | null
  readonly obstacle: string | null
  readonly order: { readonly order_uuid: string } | null
  readonly ended_by: string | null
}

const path = (id: string) => `/programs/${program_id}/customers/${id}/erasure`
const idOf = async (phone: string) => (await walletOf(database.db, program_id, phone))?.customer_id as Uuid
const ask = (id: string, phone: string, by_person = operator) =>
  by_person.call('POST', path(id), { phone, reason: 'Noura asked by mail' })
const read = async (id: string) =>
  (await operator.call('GET', path(id))).body.data as { request: Request | null; by_command: boolean }
const work = () => doErasures({ owner: database.owner, secrets, log })
const dueNow = () =>
  database.owner.run({
    text: `update erasure_request set due_at = now() - interval '1 s' where state = 'due'`,
    values: [],
  })
const customer = async (points = 5) => {
  const phone = await customerWith(database.db, stage.shop.merchant, { points })
  return { phone, id: await idOf(phone) }
}
const audited = (id: string) =>
  database.db.run<{ action: string; actor: string; after: Record<string, unknown> | null }>({
    text: 'select action, actor, after from audit where program_id = $1 and object = $2 order by audit_id',
    values: [program_id, `customer:${id}`],
  })
/** A customer whose checkout holds all points. */
async function holding() {
  const { me, phone, page, order_uuid } = await stage.choosing(40)
  await me.submit(page, 'confirm', { use: 'all' })
  const cancel = () => stage.app.actBy(stage.shop, order_uuid, 'cancel', {})
  return { phone, id: await idOf(phone), order_uuid, cancel }
}

describe('a request', () => {
  it('needs the number typed once more, waits once, and a worker performs it and leaves nothing about the person', async () => {
    const { phone, id } = await customer()
    const earning = purchase({ phone_number: phone, name: 'Noura', metadata: { note: 'Noura' } })
    await stage.app.call('POST', '/api/v1/orders/earning', { key: stage.shop.private_key, json: earning })
    for (const typed of ['0599999999', '12'])
      expect((await ask(id, typed)).body).toMatchObject({ errors: { phone: [expect.any(String)] } })
    expect((await read(id)).request).toBeNull()

    const asked = (await ask(id, `+966${phone}`)).body.data as Request
    expect(asked).toMatchObject({ state: 'due', reason: null, asked_by: operator.email })
    expect((await read(id)).request).toMatchObject({ reason: 'Noura asked by mail', asked_by: operator.email })
    expect((await ask(id, phone)).body.data).toMatchObject({ request_uuid: asked.request_uuid })
    const list = await operator.call('GET', `/programs/${program_id}/erasures`)
    // In this test no process may erase.
    expect(list.body.data).toMatchObject({ requests: [{ customer_id: id }], more: false, by_command: true })

    await work()
    expect((await read(id)).request).toMatchObject({ state: 'done', reason: null, ended_by: operator.email })
    expect(await idOf(phone)).toBeUndefined()
    expect((await audited(id)).map(({ action, actor, after }) => [action, actor, after])).toEqual([
      ['customers.ask-erasure', operator.email, { reason: null }],
      ['customers.erase', operator.email, { orders: 2 }],
    ])
    const left = await database.owner.run<{ texts: string }>({
      text: `select e::text || (select string_agg(o::text, '') from orders o where o.program_id = $1 and o.customer_id = $2) as texts
        from erasure_request e where e.program_id = $1 and e.customer_id = $2`,
      values: [program_id, id],
    })
    expect(left.map(({ texts }) => /noura|mail/i.test(texts.replaceAll(operator.email, '')))).toEqual([false])
    expect((await ask(id, phone)).status).toBe(404)
    expect((await operator.call('DELETE', path(id))).status).toBe(404)
  })

  it('waits for the order that holds points, says which, and goes on by itself when it has ended', async () => {
    const { phone, id, order_uuid, cancel } = await holding()
    await ask(id, phone)
    await work()
    for (let round = 0; round < 2; round += 1) {
      expect((await read(id)).request).toMatchObject({ state: 'due', obstacle: 'order', order: { order_uuid } })
      // Not asked for at every round.
      await work()
      await dueNow()
      await work()
    }
    await cancel()
    await dueNow()
    await work()
    expect((await read(id)).request).toMatchObject({ state: 'done', obstacle: null, order: null })
    expect(await idOf(phone)).toBeUndefined()
  })

  it('fails after 30 days behind an order, and for a customer who was merged meanwhile', async () => {
    const { phone, id, cancel } = await holding()
    const [from, into] = [await customer(), await customer()]
    await ask(id, phone)
    await ask(from.id, from.phone)
    await operator.call('POST', `/programs/${program_id}/customers/${from.id}/merge`, { phone: into.phone })
    await database.owner.run({
      text: `update erasure_request set created_at = now() - interval '31 days' where customer_id = $1`,
      values: [id],
    })
    await work()
    expect((await read(id)).request).toMatchObject({ state: 'failed', obstacle: 'order', reason: null })
    expect((await read(from.id)).request).toMatchObject({ state: 'failed', obstacle: 'merged', reason: null })
    expect(await idOf(into.phone)).toBe(into.id)
    await cancel()
    expect((await ask(id, phone)).body.data).toMatchObject({ state: 'due' })
    await work()
    expect((await read(id)).request).toMatchObject({ state: 'done' })
  })

  it('is taken back while it waits', async () => {
    const { phone, id } = await customer()
    await ask(id, phone)
    expect((await operator.call('DELETE', path(id))).body.data).toMatchObject({ state: 'cancelled', reason: null })
    await work()
    expect(await idOf(phone)).toBe(id)
    expect((await audited(id)).map(({ action }) => action)).toEqual([
      'customers.ask-erasure',
      'customers.cancel-erasure',
    ])
  })

  it('is performed once by three workers, and finished after a worker that died between its transactions', async () => {
    const { phone, id } = await customer()
    const { request_uuid } = (await ask(id, phone)).body.data as Request
    const parts = { owner: database.owner, secrets }
    const ends = await Promise.all([1, 2, 3].map(() => eraseRequested(parts, { program_id, request_uuid })))
    expect(ends).toContain('done')
    expect((await audited(id)).filter(({ action }) => action === 'customers.erase')).toHaveLength(1)

    const dying = await customer()
    await ask(dying.id, dying.phone)
    const known = { program_id, customer_id: dying.id, phone: dying.phone }
    await database.owner.transaction((tx) => eraseNow(tx, { ...parts, by }, known))
    expect((await read(dying.id)).request).toMatchObject({ state: 'due', reason: null })
    await work()
    expect((await read(dying.id)).request).toMatchObject({ state: 'done' })
    expect((await audited(dying.id)).filter(({ action }) => action === 'customers.erase')).toHaveLength(1)
  })

  it('is tried again after a failure, which delays no other', async () => {
    const [first, second] = [await customer(), await customer()]
    await ask(first.id, first.phone)
    await ask(second.id, second.phone)
    await database.owner.script('alter table order_rating rename to hidden')
    await doErasures({ owner: database.owner, secrets, log })
    await database.owner.script('alter table hidden rename to order_rating')
    expect(warned).toHaveLength(2)
    expect((await read(first.id)).request).toMatchObject({ state: 'due', obstacle: 'error' })
    await dueNow()
    // A stop waited for all of them.
    await doErasures({ owner: database.owner, secrets, log }, AbortSignal.abort())
    for (const { id } of [first, second]) expect((await read(id)).request).toMatchObject({ state: 'due' })
    await work()
    for (const { id } of [first, second])
      expect((await read(id)).request).toMatchObject({ state: 'done', obstacle: null })
  })
})

describe('the command', () => {
  const run = (...args: string[]) =>
    nuqta(['customers', 'erase', ...args, '--as', 'Root'], {
      cwd: tmpdir(),
      env: {
        DATABASE_URL: database.url,
        NUQTA_MIGRATION_URL: database.owner_url,
        NUQTA_SECRET_KEY: defaults.secret_key,
      },
    })

  it('performs waiting requests, reports those that must wait longer, and is the second name in the log', async () => {
    expect(await run('--requested')).toMatchObject({ code: 0, stdout: '', stderr: 'No erasure waits.\n' })
    for (const wrong of [[], ['0512345678', '--requested']]) expect((await run(...wrong)).code).toBe(2)
    const free = await customer()
    const { phone, id, order_uuid, cancel } = await holding()
    await ask(free.id, free.phone)
    await ask(id, phone)
    const { code, json } = await run('--requested', '--json')
    expect([code, json.map(({ customer_id, state }) => [customer_id, state])]).toEqual([
      1,
      [
        [free.id, 'done'],
        [id, 'waits'],
      ],
    ])
    expect((await audited(free.id)).at(-1)).toMatchObject({ actor: 'Root', after: { proposed_by: operator.email } })
    expect((await run(phone)).stderr).toContain(order_uuid)
    await cancel()
    expect((await run('--requested')).code).toBe(0)
    expect(await idOf(phone)).toBeUndefined()
  })

  it('goes on after a request that fails, says so, and leaves none out, however many wait', async () => {
    const ids: string[] = []
    for (let count = 0; count < 21; count += 1) {
      const { phone, id } = await customer()
      await ask(id, phone)
      ids.push(id)
    }
    await database.owner.script('alter table order_rating rename to hidden')
    const failed = await run('--requested', '--json')
    await database.owner.script('alter table hidden rename to order_rating')
    expect([failed.code, failed.json.map(({ customer_id, state }) => [customer_id, state])]).toEqual([
      1,
      ids.map((id) => [id, 'waits']),
    ])
    expect(failed.stderr).toContain('order_rating')
    const { code, json } = await run('--requested', '--json')
    expect([code, json.map(({ customer_id }) => customer_id)]).toEqual([0, ids])
    expect(await run('--requested')).toMatchObject({ code: 0, stderr: 'No erasure waits.\n' })
  })

  it('that erases by phone ends the request, too, and nothing is erased without the rights of the owner', async () => {
    const { phone, id } = await customer()
    await ask(id, phone)
    const refused = await nuqta(['customers', 'erase', '--requested'], {
      cwd: tmpdir(),
      env: { DATABASE_URL: database.url, NUQTA_SECRET_KEY: defaults.secret_key },
    })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Set NUQTA_MIGRATION_URL') })
    await eraseCustomer({ owner: database.owner, secrets, by }, { program_id, phone: phone as Phone, typed: phone })
    expect((await read(id)).request).toMatchObject({ state: 'done', reason: null, ended_by: 'Root' })
    expect(await idOf(freshPhone())).toBeUndefined()
  })
})
