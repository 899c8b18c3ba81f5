import { expect, it } from 'vitest'
import { dashboardRoutes } from '../../src/dashboard-routes.ts'
import { fieldText, nameField } from '../../src/http/api/field-texts.ts'
import { routes } from '../../src/routes.ts'

/** What a passkey of the browser answers: nobody types it. */
const ofPasskeys = ['id', 'rawId', 'response', 'clientExtensionResults', 'authenticatorAttachment']

/** The names of the fields of a schema, at every depth. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'properties' ? [...Object.keys(value), ...Object.values(value).flatMap(fieldsOf)] : fieldsOf(value),
  )
}

// Whoever signed in without a password in Arabic read "حقل password مطلوب": the first page of the dashboard named its fields in
// English, and so did forms of the team, the account, the program and its customers.
it('every field of a form has an Arabic name', () => {
  const schemas = [...dashboardRoutes, ...routes].flatMap((route) => [
    'body' in route ? route.body : undefined,
    'query' in route ? route.query : undefined,
  ])
  const names = new Set(schemas.flatMap(fieldsOf))
  expect(names).toContain('password')
  const unnamed = [...names].filter(
    (name) => !ofPasskeys.includes(name) && !/\p{Script=Arabic}/u.test(nameField(name, 'ar')),
  )
  expect(unnamed).toEqual([])
})

// An update of a webhook without fields read «حقل الاسم مطلوب عند عدم إرسال url».
it('a field that is missing without another names both in Arabic', () => {
  const error = { field: 'name', rule: 'required_without', limit: 'url' } as const
  expect(fieldText(error, 'ar')).toBe('حقل الاسم مطلوب عند عدم إرسال الرابط.')
  expect(fieldText(error, 'en')).toBe('The name field is required when url is not present.')
})
