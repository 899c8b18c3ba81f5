import { beforeAll, expect, it } from 'vitest'
import type { PointsPerSarE4 } from '../../src/domain/points.ts'
import { listChanges } from '../../src/features/audit/list.ts'
import type { MadeMerchant } from '../../src/features/merchants/service.ts'
import { doSettlementRuns } from '../../src/features/settlement/run-job.ts'
import { countAll, countOn } from '../support/activity.ts'
import { makeMerchant, purchase, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, type Person } from '../support/staff.ts'

// Ninety-five nearly full wallets hold more than 2^53 points. The result of a settlement run and the audit log were stored
// exactly and read as doubles, so they contradicted the settlement. The overviews of merchant and program answered 500.

const database = testDatabase()
const app = testApp(database)

let merchant: MadeMerchant
let sara: Person
/** All points of the earnings, as the API has answered them. */
let points = 0n

beforeAll(async () => {
  const points_per_sar_e4 = 998_765_433 as PointsPerSarE4
  merchant = await makeMerchant(database.db, { changes: { points_per_sar_e4 } })
  sara = await makePerson(app(), 'operator')
  for (let wallet = 0; wallet < 95; wallet += 1) {
    const { body } = await app().send('POST', '/api/v1/orders/earning', {
      json: purchase({ phone_number: String(500_000_100 + wallet), total_price: 987_654_321 + wallet / 100 }),
      headers: { 'x-api-key': merchant.private_key },
    })
    points += BigInt((body.data as unknown as { readonly total_points: number }).total_points)
  }
})

const read = async (path: string): Promise<string> => {
  const { status, text } = await sara.call('GET', path)
  expect(status).toBe(200)
  return text
}
const ofProgram = (path: string): Promise<string> => read(`/programs/${merchant.program_id}${path}`)

it('a settlement run and the audit log have the points of the settlement to the last digit', async () => {
  expect(String(Number(points))).not.toBe(String(points))
  await sara.call('POST', `/programs/${merchant.program_id}/settlement-runs`, { kind: 'close' })
  const { clock } = app()
  await doSettlementRuns({ db: database.db, clock, log: { warn: () => undefined } })
  expect(await ofProgram('/settlements')).toContain(`"net_points":${points},`)
  const runs = await ofProgram('/settlement-runs')
  expect(runs).toContain(`"open_points":${points},`)
  expect(runs).toContain(`"net_points":${points},`)
  expect(await ofProgram('/audit')).toContain(`{"field":"net_points","after":${points}}`)
  expect(await read(`/merchants/${merchant.merchant_id}/audit`)).toContain(`"after":${points}}`)
  expect(await ofProgram('/audit.csv')).toContain(`,net_points,,${points}\r\n`)
  expect(JSON.stringify(await listChanges(database.db, { size: 1 }))).toContain(`"net_points":${points},`)
})

it('the overviews of a merchant and its program add the points up exactly', async () => {
  await countAll(countOn(database.db))
  for (const path of [`/programs/${merchant.program_id}`, `/merchants/${merchant.merchant_id}`])
    expect(await read(`${path}/overview`)).toContain(`"issued_points":${points},`)
  expect(await read(`/merchants/${merchant.merchant_id}/overview.csv`)).toContain(`,${points},0,0,0,95,0\r\n`)
})
