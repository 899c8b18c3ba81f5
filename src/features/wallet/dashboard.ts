import Type, { type Static } from 'typebox'
import { refuseFields } from '../../domain/failures.ts'
import { parseUuid } from '../../domain/ids.ts'
import { asPoints } from '../../domain/points.ts'
import { nullable, object, text } from '../../http/api/fields.ts'
import { DashboardAnswer } from '../../http/dashboard/answers.ts'
import { limitOf, listPagination, listQuery, pageOf } from '../../http/dashboard/list.ts'
import type { MerchantRequest } from '../../http/dashboard/route.ts'
import type { CustomerCursor } from '../activity/queries.ts'
import { most_looked_at } from '../activity/queries.ts'
import { viewWaiting, waitingSchema } from '../proposals/view.ts'
import { type AdjustByStaff, type Adjusted, max_adjust_reason } from './adjust.ts'
import type { CustomerPages, ListedCustomer } from './dashboard-customers.ts'
import {
  detailSchema,
  listedCustomerSchema,
  movementFields,
  viewDetail,
  viewFoundCustomer,
  viewWallet,
  walletSchema,
} from './dashboard-view.ts'
import type { Movement } from './queries.ts'

/** What the dashboard's endpoints about customers need. */
export interface CustomerPageServices {
  readonly customerPages: CustomerPages
  readonly adjustByStaff: AdjustByStaff
}

const customerListQuery = Type.Object({
  q: Type.Optional(
    text({ max: 255, description: `A phone, a uuid, or a part of a name: of the ${most_looked_at} who came last.` }),
  ),
  ...listQuery,
})

/** docs/spec/dashboard-orders.md#customers */
export const listCustomersOfMerchant = {
  tag: 'Customers',
  summary: 'List who has paid orders at a merchant, or find a customer',
  query: customerListQuery,
  data: Type.Array(listedCustomerSchema),
  pagination: listPagination,
  async handle(
    { merchant, query, standing }: MerchantRequest<undefined, never, Static<typeof customerListQuery>>,
    { customerPages }: CustomerPageServices,
  ) {
    const { q } = query
    if (q !== undefined) {
      const found = await customerPages.find(merchant, q)
      const rows = found.map((customer) => viewFoundCustomer(customer, standing))
      return new DashboardAnswer(rows, { beside: { next: null } })
    }
    const limit = limitOf(query)
    const customers = await customerPages.list(merchant, { before: readVisit(query.after), limit })
    return pageOf(customers, { limit, view: (customer) => viewFoundCustomer(customer, standing), cursor: visitText })
  },
} as const

function visitText({ visits: { last_at, customer_id } }: ListedCustomer): string {
  return `${last_at.getTime()}_${customer_id}`
}

function readVisit(after: string | undefined): CustomerCursor | null {
  if (after === undefined) return null
  const [, time, uuid] = /^(\d{1,15})_(.*)$/.exec(after) ?? []
  const customer_id = parseUuid(uuid ?? '')
  if (customer_id === null) return refuseFields({ field: 'after', rule: 'list_place' })
  return { last_at: new Date(Number(time)), customer_id }
}

/** docs/spec/dashboard-orders.md#customer */
export const readCustomerOfMerchant = {
  tag: 'Customers',
  summary: 'Read a customer with the wallet, pending earnings and consent',
  data: detailSchema,
  failures: ['not_found'],
  async handle(
    { merchant, params, standing }: MerchantRequest<undefined, 'customerId'>,
    { customerPages }: CustomerPageServices,
  ) {
    return viewDetail(await customerPages.read(merchant, params.customerId), standing)
  },
} as const

const historyQuery = Type.Object(listQuery)

/** docs/spec/dashboard-orders.md#history */
export const listHistoryOfCustomer = {
  tag: 'Customers',
  summary: "List what happened to a customer's points at this merchant, the newest first",
  description:
    'Movements of orders at other merchants of the program are left out. A page may be short before the end.',
  query: historyQuery,
  data: Type.Array(Type.Object(movementFields)),
  pagination: listPagination,
  failures: ['not_found'],
  async handle(
    { merchant, params, query }: MerchantRequest<undefined, 'customerId', Static<typeof historyQuery>>,
    { customerPages }: CustomerPageServices,
  ) {
    const page = { before: readVersion(query.after), limit: limitOf(query) }
    const { movements, next } = await customerPages.history(merchant, params.customerId, page)
    return new DashboardAnswer(movements.map(viewMovement), { beside: { next: next === null ? null : String(next) } })
  },
} as const

/** Names of merchants are not told: another merchant's row never gets here. */
function viewMovement({ merchant_name: _, merchant_name_ar: _ar, merchant_id: _id, at, ...movement }: Movement) {
  return { ...movement, at: at.toISOString() }
}

function readVersion(after: string | undefined): number | null {
  if (after === undefined) return null
  if (!/^\d{1,15}$/.test(after)) return refuseFields({ field: 'after', rule: 'list_place' })
  return Number(after)
}

const adjustment = object({
  points: Type.Integer({
    minimum: -1_000_000_000,
    maximum: 1_000_000_000,
    description: 'Below 0 they are taken. Your role has a limit, and the wallet does not go below zero.',
  }),
  reason: text({ max: max_adjust_reason, description: 'The customer reads it in the wallet.' }),
})

function viewAdjusted({ wallet, proposal }: Adjusted) {
  return { ...viewWallet(wallet), proposal: proposal === null ? null : viewWaiting(proposal) }
}

/** docs/spec/dashboard-orders.md#adjustments */
export const adjustCustomer = {
  tag: 'Customers',
  summary: "Add points to a customer's wallet, or take them",
  body: adjustment,
  description:
    'Where the program asks for two people, a large one only waits: `proposal` says so, and the wallet is as it was.',
  data: Type.Object({ ...walletSchema, proposal: nullable(waitingSchema) }),
  failures: ['not_found', 'merchant_suspended', 'validation', 'proposals_full'],
  async handle(
    { merchant, params, body, standing, actor, once }: MerchantRequest<Static<typeof adjustment>, 'customerId'>,
    { customerPages, adjustByStaff }: CustomerPageServices,
  ) {
    const { program } = merchant
    await customerPages.refuseUnknown(merchant, params.customerId)
    const adjusted = await adjustByStaff(
      {
        ...{ program, customer_id: params.customerId, reason: body.reason, by: actor },
        ...{ points: asPoints(body.points), merchant_id: merchant.merchant_id, standing },
      },
      once.keeping(viewAdjusted),
    )
    return viewAdjusted(adjusted)
  },
} as const
