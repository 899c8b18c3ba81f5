import Type from 'typebox'
import type { CheckoutStep } from '../../domain/checkout.ts'
import { orderSources } from '../../domain/earning.ts'
import { postings } from '../../domain/ledger.ts'
import { orderStates } from '../../domain/order.ts'
import { manualMoves } from '../../domain/order-options.ts'
import { paymentStates } from '../../domain/payment.ts'
import { paymentMethods } from '../../domain/payment-method.ts'
import { instant, nullable, oneOf, storedProductLine, uuid } from '../../http/api/fields.ts'
import { paymentProviders } from '../../providers/payment/port.ts'
import { customerStatuses } from '../customers/status.ts'
import { happenings } from './dashboard-timeline.ts'
import { customerSchema, sar } from './dashboard-view.ts'
import { paymentProblems } from './payment-queries.ts'
import { orderSchema } from './view.ts'

const transferKinds = Object.keys(postings) as (keyof typeof postings)[]
const checkoutSteps = [
  'identify',
  'onboard',
  'choose',
  'pay',
  'reserved',
  'finished',
  'cancelled',
  'closed',
  'expired',
] as const satisfies readonly CheckoutStep[]

/** Everything about an order. */
export const orderDetailSchema = Type.Object({
  order: orderSchema,
  source: oneOf(orderSources),
  amounts: Type.Object({
    total: sar('SAR.'),
    redeemed: sar('Paid with points.'),
    refunded: sar('SAR.'),
    shipping: nullable(sar()),
    tax: nullable(sar()),
    discount: nullable(sar()),
    redeemed_points: Type.Integer(),
    returned_points: Type.Integer(),
    earned_points: Type.Integer(),
    reversed_points: Type.Integer(),
  }),
  items: Type.Array(storedProductLine),
  shipping_address: nullable(Type.Object({}, { additionalProperties: true })),
  rating: nullable(
    Type.Object({
      product_name: nullable(Type.String()),
      rating: nullable(Type.Integer()),
      comment: nullable(Type.String()),
    }),
  ),
  payment_method: nullable(Type.String()),
  reason: nullable(Type.String({ description: 'Why it was cancelled.' })),
  customer: nullable(
    Type.Object({
      ...customerSchema.properties,
      status: oneOf(customerStatuses),
      posted: Type.Integer({ description: 'After a merge 0: the points are with the customer who stays.' }),
      held: Type.Integer(),
      available: Type.Integer(),
    }),
  ),
  timeline: Type.Array(
    Type.Object({
      at: instant(),
      what: oneOf(happenings),
      amount: Type.Optional(sar('SAR.')),
      points: Type.Optional(Type.Integer({ description: 'What the customer got (above 0) or lost.' })),
      reason: Type.Optional(nullable(Type.String())),
      status: Type.Optional(Type.String({ description: 'Shipping status.' })),
      label_ar: Type.Optional(nullable(Type.String())),
      label_en: Type.Optional(nullable(Type.String())),
    }),
  ),
  entries: Type.Array(
    Type.Object({
      transfer_id: uuid(),
      kind: oneOf(transferKinds),
      bucket: oneOf(['available', 'held']),
      points: Type.Integer(),
      balance_after: Type.Integer({ description: "The customer's points of the bucket after it." }),
      reason: nullable(Type.String()),
      created_at: instant(),
    }),
    { description: 'What the order moved in its customer’s wallet, the newest first.' },
  ),
  payments: Type.Array(
    Type.Object({
      payment_uuid: uuid(),
      provider: oneOf(paymentProviders),
      provider_reference: nullable(Type.String()),
      kind: oneOf(['sale', 'auth']),
      state: oneOf(paymentStates),
      amount: sar('SAR.'),
      error: nullable(oneOf([...new Set(paymentProblems)], { description: 'Why it failed.' })),
      paid_with: nullable(oneOf(paymentMethods, { description: 'As the provider has said.' })),
      tasks: Type.Array(
        Type.Object({
          kind: Type.String(),
          state: Type.String(),
          amount: sar('SAR.'),
          attempts: Type.Integer(),
          error: nullable(Type.String()),
        }),
        { description: 'What the provider was told or is still to be told.' },
      ),
    }),
  ),
  refunds: Type.Array(
    Type.Object({
      refund_uuid: uuid(),
      amount: sar('SAR.'),
      reversed_points: Type.Integer(),
      returned_points: Type.Integer(),
      provider_amount: sar('Through the payment provider.'),
      provider_state: oneOf(['none', 'due', 'done', 'refused']),
      provider_refund_reference: nullable(Type.String()),
      reason: nullable(Type.String()),
      created_at: instant(),
    }),
  ),
  deliveries: Type.Array(
    Type.Object({
      delivery_id: uuid(),
      event: nullable(Type.String()),
      webhook_uuid: uuid(),
      webhook_name: nullable(Type.String({ description: 'Null once the webhook is deleted.' })),
      state: oneOf(['due', 'delivered', 'failed']),
      attempts: Type.Integer(),
      due_at: nullable(instant()),
      ended_at: nullable(instant()),
    }),
  ),
  checkout: nullable(
    Type.Object({
      step: oneOf(checkoutSteps),
      expires_at: instant(),
      confirmed_at: nullable(instant()),
      without_points: Type.Boolean(),
      collector: nullable(oneOf(['provider', 'merchant'])),
    }),
  ),
  options: Type.Object({
    moves: Type.Array(oneOf(manualMoves)),
    refund: Type.Object({
      allowed: Type.Boolean(),
      refused: nullable(Type.String({ description: 'The failure that a refund would give.' })),
      up_to: sar('SAR.'),
      until: nullable(instant()),
    }),
  }),
})

const walletAt = Type.Object({ posted: Type.Integer(), available: Type.Integer() })

/** What a refund would do. */
export const refundPreviewSchema = Type.Object({
  amount: sar('SAR.'),
  provider_amount: sar('What the payment provider pays back.'),
  merchant_amount: sar('What the merchant pays back.'),
  reversed_points: Type.Integer({ description: 'Earned points that the customer loses.' }),
  returned_points: Type.Integer({ description: 'Redeemed points that the customer gets back.' }),
  wallet: nullable(Type.Object({ before: walletAt, after: walletAt })),
  order_status: oneOf(orderStates),
  left_amount: sar('SAR.'),
  left_points: Type.Integer(),
})
