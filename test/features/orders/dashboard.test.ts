import { beforeAll, describe, expect, it } from 'vitest'
import { newUuid } from '../../../src/lib/ids.ts'
import { dataOf } from '../../http/client.ts'
import { oneShop, type Shop } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { TestClock } from '../../support/earnings.ts'
import { customerWith, earningOrder, replacingOrder, rowOf } from '../../support/orders.ts'
import { staffedShop } from '../../support/staff-pages.ts'

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const clock = new TestClock('2026-02-01T20:30:00.000Z')
const staff = staffedShop(database, clock)
let other: Shop

beforeAll(async () => {
  other = await oneShop(database.db)
})

const run = (text: string, values: readonly unknown[]) => database.owner.run({ text, values })
type Row = Readonly<Record<string, unknown>>
const list = async (query: string) => {
  const { body } = await staff.pages.as('support', 'GET', `/orders${query}`)
  return { rows: (body.data ?? []) as readonly Row[], next: String(Reflect.get(body, 'next')), errors: body['errors'] }
}
const uuids = async (query: string) => (await list(query)).rows.map(({ uuid }) => uuid)

describe('the list', () => {
  it('finds an order by its number, reference, phone and uuid, as people type them', async () => {
    const { order_uuid, phone } = await earningOrder(database.db, staff.shop.merchant, { clock })
    const { reference_number, order_number } = await rowOf(database.db, order_uuid)
    const reference = String(reference_number).toLowerCase().replaceAll('0', 'o')
    const typed = [
      order_number,
      `# ${order_number}`,
      `${reference.slice(0, 5)}-${reference.slice(5)}`,
      `+966 ${phone}`,
      order_uuid.toUpperCase(),
    ]
    for (const q of typed) expect(await uuids(`?q=${encodeURIComponent(String(q))}`), String(q)).toEqual([order_uuid])
    expect(await uuids('?q=nothing-like-it')).toEqual([])
  })

  it('never shows an order of another merchant', async () => {
    const { order_uuid, phone } = await earningOrder(database.db, other.merchant, { clock })
    for (const q of [order_uuid, phone]) expect(await uuids(`?q=${q}`)).toEqual([])
    expect((await staff.pages.as('owner', 'GET', `/orders/${order_uuid}`)).status).toBe(404)
    expect((await staff.pages.as('owner', 'POST', `/orders/${order_uuid}/refund`, {})).status).toBe(404)
    expect((await staff.pages.as('owner', 'GET', `/orders/${order_uuid}/refund-preview`)).status).toBe(404)
  })

  it('filters by state, type and days in Riyadh, and goes on where a page ended', async () => {
    const days = new TestClock('2026-03-01T20:59:59.000Z')
    const before = await earningOrder(database.db, staff.shop.merchant, { clock: days })
    days.advance(1)
    const after = await earningOrder(database.db, staff.shop.merchant, { clock: days })
    expect(await uuids('?from=2026-03-01&to=2026-03-01')).toEqual([before.order_uuid])
    expect(await uuids('?from=2026-03-02&to=2026-03-02')).toEqual([after.order_uuid])
    const first = await list('?from=2026-03-01&limit=1')
    expect(first.rows.map(({ uuid }) => uuid)).toEqual([after.order_uuid])
    expect(await uuids(`?from=2026-03-01&limit=1&after=${first.next}`)).toEqual([before.order_uuid])
    expect(await uuids('?from=2026-03-01&type=2')).toEqual([])
    expect(await uuids('?from=2026-03-01&status=fully_refunded')).toEqual([])
    expect((await list('?from=2026-02-30&after=x&status=lost')).errors).toMatchObject({ from: [expect.any(String)] })
  })

  it('shows the whole phone only to those who handle orders', async () => {
    const { order_uuid, phone } = await earningOrder(database.db, staff.shop.merchant, { clock })
    const read = async (role: 'support' | 'read_only') => {
      const { body } = await staff.pages.as(role, 'GET', `/orders?q=${order_uuid}`)
      return (body.data as readonly Row[])[0]?.['customer']
    }
    expect(await read('support')).toMatchObject({ phone: `0${phone}` })
    expect(await read('read_only')).toMatchObject({ phone: null, phone_masked: `5••••••${phone?.slice(-2)}` })
  })

  it('is saved as a file', async () => {
    const { headers, text } = await staff.pages.as('owner', 'GET', '/orders.csv')
    expect(headers['content-disposition']).toMatch(/orders-\d+-\d{4}-\d\d-\d\d-newest-100000\.csv/)
    expect(text.startsWith('\ufeffCreated (UTC),Order number,')).toBe(true)
    expect(text.trim().split('\r\n').length).toBe((await list('?limit=100')).rows.length + 1)
  })

  it('has sums in the file that are those of the overview: only what was paid has moved points', async () => {
    await replacingOrder(database.db, staff.shop.merchant, { points: 100 })
    const { text } = await staff.pages.as('owner', 'GET', '/orders.csv')
    const [head = [], ...records] = text
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
    const sum = (name: string) => records.reduce((all, record) => all + Number(record[head.indexOf(name)]), 0)
    const [paid] = (await run(
      `select coalesce(sum(total_points) filter (where type = 2), 0) as redeemed, sum(earned_points) as issued,
         coalesce(sum(redeemed_halalas) filter (where type = 2), 0) as halalas, count(*) as orders
       from orders where program_id = $1 and merchant_id = $2 and paid_at is not null`,
      [staff.shop.merchant.program_id, staff.shop.merchant.merchant_id],
    )) as Row[]
    expect(records.filter((record) => record[head.indexOf('Paid (UTC)')] !== '')).toHaveLength(Number(paid?.['orders']))
    expect(sum('Points redeemed')).toBe(Number(paid?.['redeemed']))
    expect(sum('Points issued')).toBe(Number(paid?.['issued']))
    expect(Math.round(sum('Paid with points (SAR)') * 100)).toBe(Number(paid?.['halalas']))
  })
})

describe('an order', () => {
  it('shows everything, and the allowed actions', async () => {
    const { order_uuid } = await earningOrder(database.db, staff.shop.merchant, { clock })
    const detail = dataOf(await staff.pages.as('read_only', 'GET', `/orders/${order_uuid}`))
    expect(detail).toMatchObject({
      order: { uuid: order_uuid },
      entries: [{ kind: 'earn', bucket: 'available', points: 1_000, balance_after: 1_000 }],
      timeline: [{ what: 'created' }, { what: 'approved' }],
      options: { moves: [], refund: { allowed: true, up_to: 100 } },
    })
  })

  it('names the method of its payment', async () => {
    const { order_uuid } = await replacingOrder(database.db, staff.shop.merchant, { points: 100 })
    await run(
      `insert into order_payment (program_id, payment_uuid, order_uuid, provider, provider_reference, amount_halalas, state,
         created_at, updated_at, paid_with)
       select program_id, $1, order_uuid, 'sandbox', 'x', total_halalas, 'failed', created_at, created_at, 'mada'
       from orders where order_uuid = $2`,
      [newUuid(), order_uuid],
    )
    const detail = dataOf(await staff.pages.as('read_only', 'GET', `/orders/${order_uuid}`))
    expect(detail['payments']).toMatchObject([{ provider: 'sandbox', paid_with: 'mada' }])
  })

  it('is refunded exactly as its preview says, once, on the record', async () => {
    const { order_uuid } = await earningOrder(database.db, staff.shop.merchant, { clock })
    const preview = dataOf(await staff.pages.as('support', 'GET', `/orders/${order_uuid}/refund-preview?amount=33.34`))
    expect(preview).toMatchObject({
      reversed_points: 333,
      merchant_amount: 33.34,
      provider_amount: 0,
      wallet: { before: { posted: 1_000 }, after: { posted: 667 } },
      order_status: 'partially_refunded',
      left_amount: 66.66,
    })
    const { status } = await staff.pages.as('support', 'POST', `/orders/${order_uuid}/refund`, {
      amount: 33.34,
      reason: 'Late',
    })
    expect(status).toBe(200)
    const detail = dataOf(await staff.pages.as('support', 'GET', `/orders/${order_uuid}`))
    expect(detail).toMatchObject({
      customer: { posted: 667 },
      amounts: { refunded: 33.34, reversed_points: 333 },
      refunds: [{ amount: 33.34, reason: 'Late' }],
      options: { refund: { up_to: 66.66 } },
    })
    const changes = await database.db.run({
      text: 'select source, actor, action, before, after from audit where object = $1',
      values: [`order:${order_uuid}`],
    })
    expect(changes).toEqual([
      {
        ...{ source: 'dashboard', actor: 'support@shop.example', action: 'orders.refund' },
        before: { order_status: 'approved' },
        after: { order_status: 'partially_refunded', amount: 33.34 },
      },
    ])
    const over = await staff.pages.as('support', 'GET', `/orders/${order_uuid}/refund-preview?amount=70`)
    expect(over.status).toBe(400)
  })

  it('is moved only by people who may', async () => {
    const { order_uuid } = await replacingOrder(database.db, staff.shop.merchant, { points: 500 })
    expect((await staff.pages.as('read_only', 'POST', `/orders/${order_uuid}/complete`, {})).status).toBe(403)
    expect((await staff.pages.as('support', 'POST', `/orders/${order_uuid}/complete`, {})).status).toBe(200)
    expect(await rowOf(database.db, order_uuid)).toMatchObject({ order_status: 'approved', payment_method: '6' })
    const labels = { name_ar: 'مع المندوب', name_en: 'With the courier' }
    await staff.pages.as('support', 'POST', `/orders/${order_uuid}/status`, { status: 'delivered', ...labels })
    const detail = dataOf(await staff.pages.as('support', 'GET', `/orders/${order_uuid}`))
    const timeline = detail['timeline'] as readonly Row[]
    expect(timeline.find(({ what }) => what === 'shipping')).toMatchObject({
      status: 'delivered',
      label_en: 'With the courier',
    })
    const actions = await database.db.run<{ action: string }>({
      text: 'select action from audit where object = $1 order by audit_id',
      values: [`order:${order_uuid}`],
    })
    expect(actions.map(({ action }) => action)).toEqual(['orders.complete', 'orders.status'])
  })
})

describe('a customer', () => {
  const idOf = async (phone: string) => {
    const { body } = await staff.pages.as('owner', 'GET', `/customers?q=${phone}`)
    return (body.data as readonly Row[])[0]?.['customer_id']
  }
  const came = ({ program_id, merchant_id }: Shop['merchant'], customer_id: string, at: string) =>
    run(
      `insert into merchant_customer (program_id, generation, merchant_id, customer_id, orders, first_at, last_at,
         sales_halalas, earned_points, redeemed_points) values ($1, 7, $2, $3, 1, $4, $4, 100, 10, 0)`,
      [program_id, merchant_id, customer_id, at],
    )

  beforeAll(() =>
    run(
      `insert into activity_program (program_id, generation, counted_to, building, created_at, updated_at)
       values ($1, 7, $2, false, $3, $3)`,
      [staff.shop.merchant.program_id, newUuid(), clock.now()],
    ),
  )

  it('is adjusted within the limit of the role, and never below zero', async () => {
    const { phone } = await earningOrder(database.db, staff.shop.merchant, { clock })
    const id = await idOf(String(phone))
    const adjust = async (role: 'support' | 'owner' | 'read_only', points: number) => {
      const { status, body } = await staff.pages.as(role, 'POST', `/customers/${id}/adjustments`, {
        points,
        reason: 'A gift',
      })
      return status === 200 ? body.data : { status, errors: body['errors'] }
    }
    expect(await adjust('read_only', 1)).toMatchObject({ status: 403 })
    expect(await adjust('support', 501)).toMatchObject({
      status: 422,
      errors: { points: [expect.stringContaining('500')] },
    })
    expect(await adjust('support', 500)).toEqual({ posted: 1_500, held: 0, available: 1_500, proposal: null })
    expect(await adjust('owner', -1_501)).toMatchObject({ errors: { points: [expect.stringContaining('-1500')] } })
    expect(await adjust('owner', -1_500)).toMatchObject({ posted: 0 })
    const { body } = await staff.pages.as('support', 'GET', `/customers/${id}/history`)
    expect(body.data).toMatchObject([
      { kind: 'adjust', points: -1_500, reason: 'A gift' },
      { kind: 'adjust', points: 500 },
      { kind: 'earn', points: 1_000 },
    ])
  })

  it('is found by a part of the name, in any spelling, only by merchants that the customer visited', async () => {
    const names = ['أحمد القحطاني', 'احمد سالم', 'Sara Ahmad']
    const calledAndCame = async (merchant: Shop['merchant'], name: string, at: string) => {
      const { phone } = await earningOrder(database.db, staff.shop.merchant, { clock })
      const customer_id = await idOf(phone)
      await run('update customer set name = $1 where customer_id = $2', [name, customer_id])
      await came(merchant, String(customer_id), at)
    }
    for (const [day, name] of names.entries())
      await calledAndCame(staff.shop.merchant, name, `2026-01-0${day + 1}T00:00:00Z`)
    await calledAndCame({ ...staff.shop.merchant, merchant_id: 999_999 }, 'احمد الغريب', '2026-01-01T00:00:00Z')
    const found = async (q: string) => {
      const { body } = await staff.pages.as('read_only', 'GET', `/customers?q=${encodeURIComponent(q)}`)
      return (body.data as readonly Row[]).map(({ name }) => name)
    }
    expect(await found('احمد')).toEqual(['احمد سالم', 'أحمد القحطاني'])
    expect(await found('أَحْمَد القحطانى')).toEqual(['أحمد القحطاني'])
    expect(await found('AHMAD')).toEqual(['Sara Ahmad'])
    expect([await found('%'), await found('غريب'), await found('a')]).toEqual([[], [], []])
    const { body } = await staff.pages.as('owner', 'GET', '/search?q=sara')
    expect(body.data).toMatchObject({ customers: [{ name: 'Sara Ahmad' }], orders: [] })
  })

  // A shop that looked a regular up by phone was shown no orders, and one that looked by name all of them.
  it('found by phone or id has the same paid orders as in the list', async () => {
    const { phone, order_uuid } = await earningOrder(database.db, staff.shop.merchant, { clock })
    const { customer_id } = await rowOf(database.db, order_uuid)
    const visits = async (q: string) => {
      const { body } = await staff.pages.as('support', 'GET', `/customers${q}`)
      return (body.data as readonly Row[]).find((one) => one['customer_id'] === customer_id)?.['visits']
    }
    expect(await visits(`?q=${phone}`)).toBeNull()
    await came(staff.shop.merchant, String(customer_id), '2026-01-09T00:00:00Z')
    expect(await visits('')).toMatchObject({ orders: 1, sales: 1, last_at: '2026-01-09T00:00:00.000Z' })
    expect(await visits(`?q=${phone}`)).toEqual(await visits(''))
    expect(await visits(`?q=${customer_id}`)).toEqual(await visits(''))
  })

  it('is found in the palette, with orders', async () => {
    const { phone, order_uuid } = await earningOrder(database.db, staff.shop.merchant, { clock })
    const { body } = await staff.pages.as('read_only', 'GET', `/search?q=0${phone}`)
    expect(body.data).toMatchObject({ customers: [{ name: null }], orders: [{ uuid: order_uuid }] })
  })

  it('of another program is not found', async () => {
    const phone = await customerWith(database.db, other.merchant, { points: 10 })
    expect(await idOf(phone)).toBeUndefined()
  })
})
