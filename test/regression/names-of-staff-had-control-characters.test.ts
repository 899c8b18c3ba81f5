import { beforeAll, expect, it } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, type Person } from '../support/staff.ts'

// Names of people and of passkeys had line breaks and escape codes, which mails, lists and terminals showed.

const app = testApp(testDatabase())
let owner: Person

beforeAll(async () => {
  const shop = await makeMerchant(app().db)
  owner = await makePerson(app(), { ...shop, role: 'owner' })
})

it.each([
  { method: 'PATCH', path: '/account' },
  { method: 'POST', path: '/links/accept' },
  { method: 'POST', path: '/account/passkeys' },
] as const)('a name of two lines or with an escape code is refused: $method $path', async ({ method, path }) => {
  for (const name of ['Two\nlines', 'red \u001b[31m']) {
    const { status, body } = await owner.call(method, path, { name })
    expect([status, body.errors?.['name']]).toEqual([422, ['The name must be one line of text.']])
  }
  const { body } = await owner.call(method, path, { name: 'سارة Sara' })
  expect(body.errors?.['name']).toBeUndefined()
})
