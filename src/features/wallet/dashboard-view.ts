import Type from 'typebox'
import { earningSources, orderSources } from '../../domain/earning.ts'
import { availablePoints, type Wallet } from '../../domain/ledger.ts'
import { toSar } from '../../domain/money.ts'
import { adjustmentLimits, type Standing } from '../../domain/staff.ts'
import { instant, nullable, oneOf, uuid } from '../../http/api/fields.ts'
import { exactNumber } from '../../lib/exact-number.ts'
import { customerStatuses, statusOf } from '../customers/status.ts'
import { customerSchema, viewPerson } from '../orders/dashboard-view.ts'
import type { CustomerDetail, FoundCustomer, ListedCustomer } from './dashboard-customers.ts'
import type { CustomerAtMerchant } from './dashboard-queries.ts'

export const walletSchema = { posted: Type.Integer(), held: Type.Integer(), available: Type.Integer() }

/** A customer with the wallet. */
export const customerOfMerchantSchema = Type.Object({
  ...customerSchema.properties,
  ...walletSchema,
  status: oneOf(customerStatuses),
  created_at: instant(),
  activated_at: nullable(instant()),
})

export function viewCustomerOfMerchant(customer: CustomerAtMerchant, standing: Standing) {
  const { posted, held, created_at, activated_at } = customer
  return {
    ...viewPerson(customer, standing),
    ...viewWallet({ posted, held }),
    status: statusOf(customer),
    created_at: created_at.toISOString(),
    activated_at: activated_at?.toISOString() ?? null,
  }
}

export function viewWallet({ posted, held }: Pick<Wallet, 'posted' | 'held'>) {
  return { posted, held, available: availablePoints({ posted, held }) }
}

/** A movement of a wallet, as lists show it. */
export const movementFields = {
  version: Type.Integer(),
  at: instant(),
  kind: oneOf(['earn', 'hold', 'release', 'reverse', 'return', 'adjust']),
  hold_state: nullable(oneOf(['open', 'posted', 'released'])),
  points: Type.Integer(),
  balance_after: Type.Integer({ description: 'The available points after it.' }),
  source: nullable(oneOf(orderSources)),
  product_name: nullable(Type.String()),
  order_uuid: nullable(uuid()),
  order_number: nullable(Type.String()),
  reason: nullable(Type.String()),
}

export const detailSchema = Type.Object({
  customer: customerOfMerchantSchema,
  merged_into: nullable(
    uuid({
      description: 'The customer of the number that stays, if the merchant has dealt with it.',
    }),
  ),
  pending: Type.Array(
    Type.Object({
      pending_uuid: uuid(),
      source: oneOf(earningSources),
      order_number: Type.String(),
      total_price: Type.Number({ description: 'SAR.' }),
      total_points: Type.Integer(),
      created_at: instant(),
    }),
    { description: 'Earnings at this merchant that wait until the customer joins.' },
  ),
  consent: nullable(
    Type.Object({
      terms_version: Type.String(),
      current: Type.Boolean({ description: 'Whether these are the terms of today.' }),
      locale: oneOf(['ar', 'en']),
      source: oneOf(['checkout', 'wallet']),
      created_at: instant(),
    }),
  ),
  adjustment: Type.Object({
    limit: nullable(
      Type.Integer({ description: 'The most points that you may add or take at once; null: any number.' }),
    ),
    most_taken: Type.Integer({ description: 'The most points that may be taken: the wallet does not go below zero.' }),
  }),
})

export function viewDetail(
  { customer, merged_into, pending, consent, terms_version }: CustomerDetail,
  standing: Standing,
) {
  const limit = adjustmentLimits[standing]
  const spendable = Math.max(0, availablePoints(customer))
  return {
    customer: viewCustomerOfMerchant(customer, standing),
    merged_into,
    pending: pending.map(({ total_halalas, created_at, ...earning }) => ({
      ...earning,
      total_price: toSar(total_halalas),
      created_at: created_at.toISOString(),
    })),
    consent:
      consent === null
        ? null
        : {
            ...consent,
            current: consent.terms_version === terms_version,
            created_at: consent.created_at.toISOString(),
          },
    adjustment: { limit, most_taken: limit === null ? spendable : Math.min(limit, spendable) },
  }
}

export const listedCustomerSchema = Type.Object({
  ...customerOfMerchantSchema.properties,
  visits: nullable(
    Type.Object({
      orders: Type.Integer(),
      sales: Type.Number({ description: 'SAR.' }),
      first_at: instant(),
      last_at: instant(),
    }),
    { description: 'Paid orders here; null while there are none.' },
  ),
})

export function viewListedCustomer(customer: ListedCustomer, standing: Standing) {
  return { ...viewCustomerOfMerchant(customer, standing), visits: viewVisits(customer.visits) }
}

export function viewFoundCustomer(customer: FoundCustomer, standing: Standing) {
  const { visits } = customer
  return { ...viewCustomerOfMerchant(customer, standing), visits: visits === null ? null : viewVisits(visits) }
}

function viewVisits({ orders, sales_halalas, first_at, last_at }: ListedCustomer['visits']) {
  return {
    orders,
    sales: exactNumber(BigInt(sales_halalas), 2),
    first_at: first_at.toISOString(),
    last_at: last_at.toISOString(),
  }
}
