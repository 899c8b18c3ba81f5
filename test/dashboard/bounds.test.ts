import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { most_looked_at } from '../../src/features/activity/queries.ts'
import { readTree, root } from '../support/tree.ts'

const api = JSON.parse(readFileSync(`${root}/dashboard/openapi.json`, 'utf8'))

/** The field of the API that each text field of a form fills, in the order of the page. */
const fills: Readonly<Record<string, readonly string[]>> = {
  'account/passkeys': ['post /account/passkeys name'],
  'account/password': ['post /account/password current_password', 'post /account/password password'],
  'account/profile': ['patch /account name'],
  'account/totp-setup': ['post /account/totp/confirm code'],
  'brand/page': ['patch /merchants/{merchantId}/brand name', 'patch /merchants/{merchantId}/brand name_ar'],
  'customer/adjust': ['post /merchants/{merchantId}/customers/{customerId}/adjustments reason'],
  'earning/return-hosts': ['patch /merchants/{merchantId}/settings return_hosts'],
  'findings/dialog': ['patch /programs/{programId}/findings/{findingUuid} note'],
  'forgot/page': ['post /password/forgot email'],
  'frame/proof-dialog': ['post /session/confirm password'],
  'link/accept-form': ['post /links/accept name', 'post /links/accept password'],
  'operators/dialogs': ['post /operator/people email'],
  'order/dispute': ['post /programs/{programId}/merchants/{merchantId}/orders/{orderUuid}/dispute reason'],
  'order/reason-field': ['post /merchants/{merchantId}/orders/{orderUuid}/refund reason'],
  'order/shipping': ['post /merchants/{merchantId}/orders/{orderUuid}/status name_en'],
  'payment/provider-form': ['put /merchants/{merchantId}/payment credentials'],
  'program-customer/block': ['post /programs/{programId}/customers/{customerId}/block reason'],
  'program-customer/erase-dialog': [
    'post /programs/{programId}/customers/{customerId}/erasure phone',
    'post /programs/{programId}/customers/{customerId}/erasure reason',
  ],
  'program-customer/merge': ['post /programs/{programId}/customers/{customerId}/merge phone'],
  'program-merchant/papers': [
    'put /programs/{programId}/merchants/{merchantId}/documents/{document} note',
    'put /programs/{programId}/merchants/{merchantId}/note note',
  ],
  'program-merchant/suspend-dialog': ['post /programs/{programId}/merchants/{merchantId}/suspend reason'],
  'program-merchants/create-dialog': ['post /programs/{programId}/merchants name'],
  'program-settings/settings-form': ['patch /programs/{programId}/settings operator_name'],
  'program-settings/terms': ['post /programs/{programId}/terms version', 'post /programs/{programId}/terms text_en'],
  'program-settlements/webhook-card': ['post /programs/{programId}/webhook url'],
  'sign-in/second-factor': ['post /sign-in/second-factor code'],
  'sign-in/steps': ['post /sign-in email', 'post /sign-in password'],
  'team/invite-dialog': ['post /merchants/{merchantId}/team/invitations email'],
  'webhook/page': [
    'patch /merchants/{merchantId}/webhooks/{uuid} name',
    'patch /merchants/{merchantId}/webhooks/{uuid} url',
  ],
  'webhooks/create-dialog': ['post /merchants/{merchantId}/webhooks name', 'post /merchants/{merchantId}/webhooks url'],
}

/** The longest text of a field: its own, that of each item, or that of each property. */
function longest(name: string): number | undefined {
  const [method = '', path = '', field = ''] = name.split(' ')
  const found = api.paths[path]?.[method]?.requestBody?.content['application/json'].schema.properties[field]
  const member = found?.anyOf?.[0] ?? found?.items ?? Object.values(found?.properties ?? {})[0] ?? found
  return member?.maxLength
}

const unbounded = /type="(date|datetime-local)"|\{\.\.\.field\(/

const boundOf = (text: string): string | undefined => /maxLength=\{([\d_]+)\}/.exec(text)?.[1]?.replaceAll('_', '')

/** The bounds of the text fields that several pages have. */
const shared = new Map(
  ['email', 'password'].flatMap((of) =>
    readTree(`dashboard/src/parts/${of}-field.tsx`).map(({ text }) => [
      /export function (\w+)\(/.exec(text)?.[1],
      boundOf(text),
    ]),
  ),
)

/** The `maxLength` of each text field of a page; undefined for one without it, and for a day. */
function fieldsOf(page: string): (number | undefined)[] {
  const named = /const field = [\s\S]*?maxLength: ([\d_]+)/.exec(page)?.[1]
  const inputs = [
    ...page.matchAll(/<(TextInput|Textarea|PasswordInput|TagsInput|EmailField|PasswordField)\s([\s\S]*?)\n? *\/>/g),
  ]
  const own = inputs.filter(([tag]) => !unbounded.test(tag)).map(([tag, name]) => boundOf(tag) ?? shared.get(name))
  return [...(named === undefined ? [] : [named]), ...own].map((one) => (one === undefined ? undefined : Number(one)))
}

it('every text field of a form has the bound of the API', () => {
  const files = readTree('dashboard/src/pages/**/*.tsx', 'dashboard/src/frame/proof-dialog.tsx')
  const pages = files.map(({ path, text }) => ({
    name: /src\/(?:pages\/)?(.*)\.tsx$/.exec(path)?.[1] ?? path,
    found: fieldsOf(text),
  }))
  const found = Object.fromEntries(pages.filter((page) => page.found.length > 0).map((page) => [page.name, page.found]))
  const wanted = Object.fromEntries(Object.entries(fills).map(([name, fields]) => [name, fields.map(longest)]))
  expect(found).toEqual(wanted)
})

it('the page of customers says how many the search looks at', () => {
  const [page] = readTree('dashboard/src/pages/customers/page.tsx')
  const said = /const most_looked_at = ([\d_]+)/.exec(page?.text ?? '')?.[1]
  expect(Number(said?.replaceAll('_', ''))).toBe(most_looked_at)
})
