import { expect, it } from 'vitest'
import { testApp } from '../support/api.ts'
import { oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'

// A list asked in Arabic for a day that is none was told "استخدم إحدى القيم: days like 2026-01-31", one of orders in dispute
// "Use one of: .", and the kind of an order was called "type".

const database = testDatabase()
const app = testApp(database)

it.each([
  ['GET', 'm', '/orders?from=2026-13-01', 'يجب أن يكون حقل من تاريخ يومًا مثل ‎2026-01-31.'],
  ['GET', 'm', '/orders?to=today', 'يجب أن يكون حقل إلى تاريخ يومًا مثل ‎2026-01-31.'],
  ['GET', 'm', '/orders?type=3', 'قيمة حقل النوع غير صالحة. استخدم إحدى القيم: 1, 2.'],
  ['POST', 'p', '/settlement-runs', 'يجب أن يكون حقل نهاية المدة يومًا مثل ‎2026-01-31.'],
  ['GET', 'p', '/disputes?after=x', 'قيمة حقل موضع الصفحة ليست موضعًا في هذه القائمة. ابدأ من صفحتها الأولى.'],
  [
    'GET',
    'p',
    '/audit?object=x',
    'قيمة حقل المعنيّ بالتغيير غير صالحة. استخدم إحدى القيم: merchant:7, customer:UUID, UUID.',
  ],
] as const)('%s %s%s says it in Arabic', async (method, of, path, said) => {
  const { merchant } = await oneShop(database.db)
  const operator = await makePerson(app(), 'operator')
  const at = of === 'm' ? `/merchants/${merchant.merchant_id}` : `/programs/${merchant.program_id}`
  const body = method === 'POST' ? { kind: 'preview', until: '2026-02-30' } : undefined
  const asked = `${at}${path}${path.includes('?') ? '&' : '?'}lang=ar`
  const answer = await operator.call(method, asked, body)
  expect(answer.status).toBe(422)
  expect(Object.values(answer.body.errors ?? {})).toEqual([[said]])
})
