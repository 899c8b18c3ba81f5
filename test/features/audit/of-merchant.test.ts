import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../../src/db/audit.ts'
import type { Actor, Change } from '../../../src/domain/audit.ts'
import { uuidV7Floor } from '../../../src/domain/ids.ts'
import { newUuid } from '../../../src/lib/ids.ts'
import { type App, makeMerchant, startApp } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { cookieOf, signedInAs } from '../../support/signed-in.ts'

// Owners and managers see who changed what at their merchant, and nothing of others.

const database = testDatabase()

type Merchant = Awaited<ReturnType<typeof makeMerchant>>
let app: App
let shop: Merchant
let other: Merchant

const sara: Actor = { source: 'dashboard', name: 'sara@shop.example' }
const root: Actor = { source: 'command', name: 'root@host' }

async function record(by: Actor, change: Omit<Change, 'program_id'>): Promise<void> {
  await database.db.transaction(async (tx) => audit(tx, by, [{ program_id: shop.program_id, ...change }]))
}

beforeAll(async () => {
  shop = await makeMerchant(database.db)
  other = await makeMerchant(database.db, { program_id: shop.program_id })
  app = await startApp(database, { dashboard: signedInAs([{ ...shop, role: 'manager' }]) })
  const { merchant_id } = shop
  const object = `merchant:${merchant_id}` as const
  await record(root, { action: 'merchant.set', object, before: { verified: false }, after: { verified: true } })
  // A colleague of the merchant makes the adjustment, because a customer belongs to the whole program.
  const customer = `customer:${newUuid()}` as const
  const adjusted = {
    action: 'wallet.adjust',
    object: customer,
    before: { available: 5 },
    after: { available: 9 },
  } as const
  await record({ ...sara, merchant_id }, adjusted)
  await record({ ...sara, merchant_id: other.merchant_id }, adjusted)
  const order = `order:${newUuid()}` as const
  await record(root, {
    action: 'orders.reverse',
    object: order,
    merchant_id,
    before: null,
    after: { reason: '=1+1,"x"' },
  })
  await record(root, { action: 'merchant.set', object: `merchant:${other.merchant_id}`, before: {}, after: {} })
})
afterAll(() => app.stop())

const ask = (path: string) =>
  app.send('GET', `/dashboard/api/merchants/${shop.merchant_id}/${path}`, { headers: { cookie: cookieOf('manager') } })
type Listed = { readonly action: string; readonly by: string }
async function list(query = ''): Promise<{ rows: Listed[]; next: string | null }> {
  const { body } = await ask(`audit${query}`)
  const { data, next } = body as unknown as { data: Listed[]; next: string | null }
  return { rows: data, next }
}
const actions = async (query = '') => (await list(query)).rows.map(({ action }) => action)

describe('the audit log of a merchant', () => {
  it('has the changes to itself, to its orders and by its staff, the newest first, and no others', async () => {
    expect(await actions()).toEqual(['orders.reverse', 'wallet.adjust', 'merchant.set'])
  })

  it('shows the difference, field by field', async () => {
    const { rows } = await list('?action=merchant.set')
    expect(rows).toEqual([
      {
        audit_id: expect.any(String),
        at: expect.stringMatching(/Z$/),
        by: 'root@host',
        source: 'command',
        action: 'merchant.set',
        object: `merchant:${shop.merchant_id}`,
        difference: [{ field: 'verified', before: false, after: true }],
      },
    ])
  })

  it('goes page by page, by person and by time', async () => {
    const first = await list('?limit=2')
    expect(first.rows).toHaveLength(2)
    expect(await actions(`?limit=2&after=${first.next}`)).toEqual(['merchant.set'])
    expect(await actions('?by=sara@shop.example')).toEqual(['wallet.adjust'])
    expect(await actions('?from=2999-01-01')).toEqual([])
    expect(await actions('?to=2999-01-01T00:00:00Z')).toHaveLength(3)
    for (const query of ['?from=yesterday', '?after=x']) expect((await ask(`audit${query}`)).status).toBe(422)
  })

  it('finds older changes, made before rows named merchants, by their object', async () => {
    await database.owner.run({ text: 'delete from merchant_audit where merchant_id = $1', values: [shop.merchant_id] })
    expect(await actions()).toEqual(['merchant.set'])
  })

  // The mistake: days began at midnight UTC, three hours late, and the last day was left out.
  it('divides days in Riyadh, and includes the last day', async () => {
    const made_at = '2026-03-01T22:30:00Z'
    const audit_id = uuidV7Floor(Date.parse(made_at))
    const text = `insert into audit (program_id, audit_id, source, actor, action, object, created_at)
      values ($1, $2, 'command', 'root@host', 'keys.status', $3, $4)`
    const values = [shop.program_id, audit_id, `merchant:${shop.merchant_id}`, made_at]
    await database.owner.run({ text, values })
    const days = async (from: string, to: string) => actions(`?from=${from}&to=${to}`)
    expect(await days('2026-03-02', '2026-03-02')).toEqual(['keys.status'])
    expect(await days('2026-03-01', '2026-03-01')).toEqual([])
    expect(await days('2026-03-01T22:30:00Z', '2026-03-01T22:30:01Z')).toEqual(['keys.status'])
    expect((await ask('audit?from=2026-02-30')).status).toBe(422)
    await database.owner.run({ text: 'delete from audit where audit_id = $1', values: [audit_id] })
  })
})

describe('the file', () => {
  it('has a line for each field, and no cell that a spreadsheet would compute', async () => {
    const { merchant_id } = shop
    const reason = { reason: '=1+1,"x"' }
    await record(root, {
      action: 'orders.reverse',
      object: `order:${newUuid()}`,
      merchant_id,
      before: null,
      after: reason,
    })
    const { text, headers } = await ask('audit.csv')
    expect(headers['content-disposition']).toBe(`attachment; filename="audit-${merchant_id}.csv"`)
    const lines = text.split('\r\n')
    expect(lines[0]).toBe('\uFEFFat,by,source,action,object,field,before,after')
    expect(lines[1]).toMatch(/,root@host,command,orders\.reverse,order:[0-9a-f-]+,reason,,"'=1\+1,""x"""$/)
    expect(lines.at(-1)).toBe('')
  })
})
