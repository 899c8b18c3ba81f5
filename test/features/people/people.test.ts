import { beforeAll, describe, expect, it } from 'vitest'
import type { Uuid } from '../../../src/domain/ids.ts'
import type { Phone } from '../../../src/domain/phone.ts'
import { asPoints, MAX_WALLET_POINTS } from '../../../src/domain/points.ts'
import { eraseCustomer } from '../../../src/features/erasure/service.ts'
import { mergeCustomers } from '../../../src/features/people/merge.ts'
import { adjustWallet } from '../../../src/features/wallet/adjust.ts'
import { createSecretBox } from '../../../src/lib/secrets.ts'
import type { Reply } from '../../http/client.ts'
import { defaults, purchase } from '../../support/api.ts'
import { checkoutStage } from '../../support/checkout-stage.ts'
import { testDatabase } from '../../support/database.ts'
import { freshPhone, walletOf } from '../../support/earnings.ts'
import { ledgerDifferences } from '../../support/ledger.ts'
import { customerWith } from '../../support/orders.ts'
import { codeIn, numbersOf, type Visit } from '../../support/shopper.ts'
import type { Person } from '../../support/staff.ts'
import { waitForLocks } from '../../support/wait.ts'
import { agreed, signIn } from '../../support/wallets.ts'

// Operators see a customer at all merchants. A block prevents only the use of points; a merge gives one person one wallet,
// whatever happens at the same time and later.

const database = testDatabase({ leaves: ['due messages'] })
const stage = checkoutStage(database)
let operator: Person
let program_id: number

beforeAll(async () => {
  program_id = stage.shop.merchant.program_id
  operator = await stage.person('operator')
})

interface Detail {
  readonly customer: Readonly<Record<string, unknown>>
  readonly block: { readonly by: string; readonly reason: string } | null
  readonly sign_ins: Readonly<Record<'wallet' | 'remembered' | 'cards', number>>
  readonly merged: readonly { readonly customer_id: string }[]
}

const path = (id = '', rest = '') => `/programs/${program_id}/customers${id === '' ? '' : `/${id}`}${rest}`
const idOf = async (phone: string) => String((await walletOf(database.db, program_id, phone))?.customer_id)
const pointsOf = async (phone: string) => (await walletOf(database.db, program_id, phone))?.posted
const read = async (id: string) => (await operator.call('GET', path(id))).body.data as Detail
const list = async (query: string) =>
  (await operator.call('GET', `${path()}${query}`)).body.data as { customer_id: string; status: string }[]
const earn = (phone: string, changes: object = {}) =>
  stage.app.call('POST', '/api/v1/orders/earning', {
    key: stage.shop.private_key,
    json: purchase({ phone_number: phone, ...changes }),
  })
const refund = (uuid: string) => stage.app.actBy(stage.shop, uuid, 'refund', {})
const merge = (from: string, phone: string, by = operator) => by.call('POST', path(from, '/merge'), { phone })
const customer = (points: number) => customerWith(database.db, stage.shop.merchant, { points })
const adjust = (phone: string, points: number) => {
  const { program } = stage.shop.merchant
  const asked = { program, phone: phone as Phone, typed: phone, points: asPoints(points), reason: 'Given twice' }
  return adjustWallet(database.db, stage.app.clock, asked)
}
const logged = (action: string) =>
  database.db.run<{ object: string; after: object }>({
    text: 'select object, after from audit where program_id = $1 and action = $2 order by audit_id',
    values: [program_id, action],
  })

describe('the list', () => {
  it('finds by phone, uuid and the beginning of a name, page by page', async () => {
    const phones = [freshPhone(), freshPhone(), freshPhone()]
    for (const [n, phone] of phones.entries()) await earn(phone, { name: `نورة ${n}` })
    const ids = await Promise.all(phones.map(idOf))
    expect((await list(`?q=+966${phones[0]}`)).map(({ customer_id }) => customer_id)).toEqual([ids[0]])
    expect((await list(`?q=${ids[1]}`)).map(({ customer_id }) => customer_id)).toEqual([ids[1]])
    expect(await list('?q=0599999999')).toEqual([])
    expect((await operator.call('GET', `${path()}?after=nowhere`)).status).toBe(422)
    for (const q of ['', `q=${encodeURIComponent('نورة')}&`]) {
      const { body } = await operator.call('GET', `${path()}?${q}limit=2`)
      const next = Reflect.get(body, 'next')
      const rest = (await operator.call('GET', `${path()}?${q}after=${encodeURIComponent(String(next))}`)).body
      const found = [...(body.data as object[]), ...(rest.data as object[])].map((row) =>
        Reflect.get(row, 'customer_id'),
      )
      expect(found.slice(0, 3)).toEqual(q === '' ? ids.toReversed() : ids)
    }
  })
})

it('finds a name however its letters are spelled, as the search of a merchant does', async () => {
  const phone = freshPhone()
  await earn(phone, { name: 'أَسماء هبة الفايز' })
  const id = await idOf(phone)
  for (const q of ['اسماء هبه', 'أسماء هبة الفايز', 'إسمـاء ه'])
    expect(
      (await list(`?q=${encodeURIComponent(q)}`)).map(({ customer_id }) => customer_id),
      q,
    ).toEqual([id])
})

describe('a block', () => {
  it('ends every sign-in at once, lets points be earned but not used, and can be lifted', async () => {
    const phone = await customer(100)
    await agreed(database, program_id, phone)
    const me = stage.shopper()
    const home = await signIn(me, phone)
    expect(numbersOf(home)).toContain('100')
    const { rememberedBrowsers } = stage.app.services
    const id = await idOf(phone)
    const customer_id = id as Uuid
    await rememberedBrowsers.remember({ program_id, phone, customer_id, device: null, cookie: undefined })
    expect((await read(id)).sign_ins).toEqual({ wallet: 1, remembered: 1, cards: 0 })

    const blocked = await operator.call('POST', path(id, '/block'), { reason: 'The phone was stolen' })
    expect(blocked.body.data).toEqual({ blocked: true, sessions_ended: 2 })
    expect(await read(id)).toMatchObject({
      customer: { blocked: true, status: 'active' },
      block: { reason: 'The phone was stolen', by: operator.email },
      sign_ins: { wallet: 0, remembered: 0 },
    })
    expect((await me.open('/wallet')).text).toContain('Sign in to your points wallet')
    // A stranger learns nothing: every number gets the same page for the code.
    const asked = await me.submit(await me.open('/wallet'), 'phone', { phone })
    expect(asked.text).not.toContain('blocked')
    const shown = await me.submit(asked, 'code', { code: codeIn(asked) })
    expect(shown.text).toContain('Your wallet is blocked')
    expect(numbersOf(shown)).not.toContain('100')
    expect((await me.open('/wallet/statement')).text).toContain('Your wallet is blocked')

    const earned = await earn(phone)
    expect(earned.status).toBe(200)
    expect((await refund(String((earned.body.data as { uuid: string }).uuid))).status).toBe(200)
    expect(await pointsOf(phone)).toBe(100)
    const [audited] = await logged('customers.block')
    expect(audited).toMatchObject({ object: `customer:${id}`, after: { reason: 'The phone was stolen' } })

    expect((await operator.call('POST', path(id, '/unblock'), {})).body.data).toMatchObject({ blocked: false })
    expect((await me.open('/wallet')).text).toContain('100')
    expect((await read(id)).block).toBeNull()
  })

  it('pays a checkout without points, also where the points were chosen before', async () => {
    const { me, phone, page } = await stage.choosing(40)
    await operator.call('POST', path(await idOf(phone), '/block'), { reason: 'Under investigation' })
    const refused = await me.submit(page, 'confirm', { use: 'all' })
    expect(refused.text).toContain('Your points are blocked')
    expect(refused.text).not.toContain('Remember this browser')
    const paid: Visit = await me.submit(refused, 'confirm')
    expect(paid.status).toBe(200)
    expect(paid.text).not.toContain('Your points are blocked')
    expect(await stage.balanceOf(phone)).toEqual([40, 0])
  })
})

describe('a merge', () => {
  it('shows a preview, moves the points, frees the number, and later refunds follow the points', async () => {
    const [from, into] = [await customer(30), await customer(5)]
    const order = String(((await earn(from)).body.data as { uuid: string }).uuid)
    const before = Number(await pointsOf(from))
    const [from_id, into_id] = [await idOf(from), await idOf(into)]
    const preview = await operator.call('GET', path(from_id, `/merge?phone=0${into}`))
    expect(preview.body.data).toEqual({
      into: { customer_id: into_id, phone: `0${into}`, name: null, posted: 5 },
      ...{ points: before, waiting: 0, posted_after: before + 5 },
    })
    expect(await pointsOf(from)).toBe(before)

    const merged = await merge(from_id, `+966${into}`)
    expect(merged.body.data).toEqual({
      ...{ into_customer_id: into_id, points: before, posted: before + 5, orders_created: 0 },
    })
    expect(await pointsOf(into)).toBe(before + 5)
    expect((await read(from_id)).customer).toMatchObject({
      status: 'merged',
      phone: null,
      posted: 0,
      merged_into: into_id,
    })
    expect((await read(into_id)).merged).toEqual([{ customer_id: from_id, merged_at: expect.any(String) }])
    const orders = (await operator.call('GET', path(into_id, '/orders'))).body.data as { uuid: string }[]
    expect(orders.map(({ uuid }) => uuid)).toContain(order)
    const entries = (await operator.call('GET', path(into_id, '/entries'))).body.data as object[]
    expect(entries[0]).toMatchObject({ kind: 'adjust', points: before, reason: 'From an earlier number' })

    // The merchant sees that the customer was merged, and into whom, because it knows both.
    const owner = await stage.person({ ...stage.shop.merchant, role: 'owner' })
    const of_merchant = `/merchants/${stage.shop.merchant.merchant_id}/customers/${from_id}`
    expect((await owner.call('GET', of_merchant)).body.data).toMatchObject({
      ...{ customer: { status: 'merged', phone: null }, merged_into: into_id },
    })
    expect((await refund(order)).status).toBe(200)
    expect(await pointsOf(into)).toBe(35)
    // The number is free: whoever uses it next is somebody else.
    expect((await earn(from)).status).toBe(200)
    expect(await idOf(from)).not.toBe(from_id)
    expect((await merge(from_id, into)).status).toBe(404)
    expect((await logged('customers.merge')).map(({ object }) => object)).toEqual([
      `customer:${from_id}`,
      `customer:${into_id}`,
    ])
    const differences = await ledgerDifferences(database.owner, { programs: [program_id] })
    expect(differences).toEqual([])
  })

  it('first turns waiting earnings into orders', async () => {
    const { program } = stage.shop.merchant
    const into = await customer(5)
    await database.owner.run({
      text: `update program set activation = 'required' where program_id = $1`,
      values: [program_id],
    })
    const from = freshPhone()
    await earn(from)
    await database.owner.run({
      text: 'update program set activation = $2 where program_id = $1',
      values: [program_id, program.activation],
    })
    expect((await merge(await idOf(into), from)).body).toMatchObject({
      errors: { phone: [expect.stringContaining('not joined')] },
    })
    const merged = await merge(await idOf(from), into)
    expect(merged.body.data).toMatchObject({ orders_created: 1 })
    expect(await pointsOf(into)).toBeGreaterThan(5)
  })

  it('is refused while points are held or blocked, and into nobody or the same number', async () => {
    const [from, into] = [await customer(50), await customer(5)]
    const id = await idOf(from)
    for (const phone of [from, '0599999999', '12'])
      expect((await merge(id, phone)).body).toMatchObject({ errors: { phone: [expect.any(String)] } })
    await operator.call('POST', path(id, '/block'), { reason: 'Stolen' })
    expect((await merge(id, into)).status).toBe(409)
    await operator.call('POST', path(id, '/unblock'), {})
    const { me, phone, page, order_uuid } = await stage.choosing(40)
    await me.submit(page, 'confirm', { use: 'all' })
    expect(await stage.balanceOf(phone)).toEqual([40, 40])
    expect((await merge(await idOf(phone), into)).status).toBe(409)
    await stage.app.actBy(stage.shop, order_uuid, 'cancel', {})
    expect((await merge(await idOf(phone), into)).status).toBe(200)
    expect(await pointsOf(into)).toBe(45)
  })

  it('is refused where the wallet would be too far below zero, and says so', async () => {
    const [from, into] = [await customer(0), await customer(0)]
    await adjust(from, -5)
    await adjust(into, -MAX_WALLET_POINTS)
    const refused = { errors: { phone: [expect.stringContaining('100,000,000,000,000 points below zero')] } }
    expect((await merge(await idOf(from), into)).body).toMatchObject(refused)
  })

  it('keeps no point in the closed wallet from an earning, a refund or a checkout that waits for it', async () => {
    const into = await customer(5)
    const { me, phone, page } = await stage.choosing(40)
    const [from, other] = [(await idOf(phone)) as Uuid, await idOf(into)]
    const order = String(((await earn(phone)).body.data as { uuid: string }).uuid)
    const waiting: Promise<unknown>[] = []
    const asked = { program_id, from, into_phone: into, locale: 'en', by: { source: 'command', name: 'Sara' } } as const
    const { points } = await mergeCustomers({ db: database.db, clock: stage.app.clock }, asked, async () => {
      waiting.push(earn(phone), refund(order), me.submit(page, 'confirm', { use: 'all' }))
      await waitForLocks(database.owner, 3)
    })
    const [earned, refunded, chosen] = (await Promise.all(waiting)) as [Reply, Reply, Visit]
    expect([earned.status, refunded.status, chosen.status]).toEqual([200, 200, 200])
    expect(await idOf(phone)).not.toBe(from)
    expect(await pointsOf(phone)).toBe(points - 40)
    expect(await pointsOf(into)).toBe(45)
    expect(await idOf(into)).toBe(other)
    expect((await read(from)).customer).toMatchObject({ posted: 0, held: 0 })
    expect(await ledgerDifferences(database.owner, { programs: [program_id] })).toEqual([])
  })

  it('is erased with the customer who stays', async () => {
    const [from, into] = [freshPhone(), await customer(5)]
    await earn(from, { name: 'Noura', metadata: { note: 'Noura' } })
    const order = (
      await database.db.one<{ order_uuid: Uuid }>({
        text: 'select order_uuid from orders where program_id = $1 and customer_id = $2',
        values: [program_id, await idOf(from)],
      })
    )?.order_uuid
    await merge(await idOf(from), into)
    expect((await walletOf(database.db, program_id, into))?.name).toBe('Noura')
    const secrets = createSecretBox(defaults.secret_key)
    const by = { source: 'command', name: 'Sara' } as const
    await eraseCustomer({ owner: database.owner, secrets, by }, { program_id, phone: into as Phone, typed: into })
    const [row] = await database.db.run<{ metadata: unknown }>({
      text: 'select metadata from orders where program_id = $1 and order_uuid = $2',
      values: [program_id, order],
    })
    expect(row).toEqual({ metadata: null })
  })
})
