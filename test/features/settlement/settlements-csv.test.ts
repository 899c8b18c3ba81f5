import { beforeAll, describe, expect, it } from 'vitest'
import { doSettlementRuns } from '../../../src/features/settlement/run-job.ts'
import { settlementsFile } from '../../../src/features/settlement/settlements-csv.ts'
import type { ClosedSettlement, SettlementPages } from '../../../src/features/settlement/statement.ts'
import { newUuid } from '../../../src/lib/ids.ts'
import { makeMerchant, testApp } from '../../support/api.ts'
import { oneShop, type Shop } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { earningOrder } from '../../support/orders.ts'
import { makePerson, type Person } from '../../support/staff.ts'

// What an accountant books at the end of a month, of all merchants in one file.

const database = testDatabase()
const app = testApp(database)
let shop: Shop
let operator: Person
let owner: Person

beforeAll(async () => {
  shop = await oneShop(database.db)
  operator = await makePerson(app(), 'operator')
  owner = await makePerson(app(), { ...shop.merchant, role: 'read_only' })
  await earningOrder(database.db, shop.merchant)
  await operator.call('POST', `/programs/${shop.merchant.program_id}/settlement-runs`, { kind: 'close' })
  await doSettlementRuns({ db: database.db, clock: app().clock, log: { warn: () => undefined } })
})

describe('settlements as a file', () => {
  it('have the figures of the list, with units, and say who owes, in the language that is asked for', async () => {
    const { program_id, merchant_id } = shop.merchant
    const { body } = await operator.call('GET', `/programs/${program_id}/settlements`)
    const [row] = body.data as unknown as Record<string, unknown>[]
    const names = 'closed_at from until merchant_id merchant_name orders net_points net_amount money_amount'.split(' ')
    const cells = [...names, 'fee_amount', 'vat_amount', 'due_amount'].map((name) => row?.[name] ?? '')
    for (const [viewer, place] of [
      [operator, `/programs/${program_id}`],
      [owner, `/merchants/${merchant_id}`],
    ] as const) {
      const file = await viewer.call('GET', `${place}/settlements.csv?lang=en`)
      const [header, ...rows] = file.text.trim().split('\r\n')
      expect(header).toContain('Due (SAR),Who owes it')
      expect(rows).toEqual([[...cells, 'The merchant', row?.['settlement_id']].join(',')])
      const arabic = await viewer.call('GET', `${place}/settlements.csv?lang=ar`)
      expect(arabic.text).toContain('المستحق (ر.س),على من')
      expect(arabic.text).toContain(',المتجر,')
    }
  })

  it('are those of one merchant for its people, and of the program for operators alone', async () => {
    const other = await makeMerchant(database.db, { name: 'Other', program_id: shop.merchant.program_id })
    expect((await owner.call('GET', `/programs/${shop.merchant.program_id}/settlements.csv`)).status).not.toBe(200)
    expect((await owner.call('GET', `/merchants/${other.merchant_id}/settlements.csv`)).status).not.toBe(200)
    const file = await operator.call('GET', `/merchants/${other.merchant_id}/settlements.csv`)
    expect([file.status, file.text.trim().split('\r\n').length]).toEqual([200, 1])
  })

  it('are those of the merchant to which the list is narrowed', async () => {
    const { program_id, merchant_id } = shop.merchant
    const other = await makeMerchant(database.db, { name: 'Quiet', program_id })
    const of = async (query: string) => {
      const list = await operator.call('GET', `/programs/${program_id}/settlements${query}`)
      const file = await operator.call('GET', `/programs/${program_id}/settlements.csv${query}`)
      return [
        list.status,
        (list.body.data as object[] | undefined)?.length,
        file.status,
        file.text.trim().split('\r\n').length - 1,
      ]
    }
    expect(await of(`?merchant=${merchant_id}`)).toEqual([200, 1, 200, 1])
    expect(await of(`?merchant=${other.merchant_id}`)).toEqual([200, 0, 200, 0])
    expect((await of('?merchant=Sidra'))[0]).toBe(422)
    const own = await owner.call('GET', `/merchants/${merchant_id}/settlements?merchant=${other.merchant_id}`)
    expect(own.body.data).toHaveLength(1)
  })

  it('are all there, however many pages they take', async () => {
    const all = Array.from({ length: 1_201 }, () => ({ settlement_id: newUuid(), due_amount: 0 }) as ClosedSettlement)
    const list: SettlementPages['list'] = async (_, { before, limit }) => {
      const from = before === undefined ? 0 : all.findIndex(({ settlement_id }) => settlement_id === before) + 1
      return all.slice(from, from + limit + 1)
    }
    let text = ''
    for await (const part of settlementsFile({ list } as SettlementPages, { program_id: 1 }, 'en')) text += part
    const lines = text.trim().split('\r\n').slice(1)
    expect(lines.map((line) => line.split(',').at(-1))).toEqual(all.map(({ settlement_id }) => settlement_id))
  })
})
