import type { OrderPayload } from '../../domain/events.ts'
import { eventSchemas, type SentEvent, type SentOrder, schemaName, sentEvents } from './event-schemas.ts'

/** How the API description describes the requests that webhooks receive. docs/spec/webhooks.md#delivery */

/** What the description of an API has of its webhooks: the requests, and the components that these name. */
export interface DescribedWebhooks {
  readonly webhooks: object
  readonly parameters: object
  readonly responses: object
  readonly schemas: object
}

/** Every event that a merchant receives. The names of the headers are those of the contract; case does not count. */
export function describeWebhooks(): DescribedWebhooks {
  return {
    webhooks: Object.fromEntries(sentEvents.map((name) => [name, { post: describeEvent(name) }])),
    parameters,
    responses,
    schemas: eventSchemas(),
  }
}

function describeEvent(name: SentEvent): object {
  const { summary, description, order } = events[name]
  const schema = { $ref: `#/components/schemas/${schemaName(name)}` }
  return {
    summary,
    ...(description === undefined ? {} : { description }),
    // Without an `operationId`: generated clients list what they can call by it.
    security: [],
    parameters: [
      ...Object.keys(parameters).map((parameter) => ({ $ref: `#/components/parameters/${parameter}` })),
      {
        name: 'X-Webhook-Event',
        in: 'header',
        required: true,
        description: 'The name of the event.',
        schema: { const: name },
      },
    ],
    requestBody: {
      required: true,
      description: 'Ignore fields that you do not know: more may come.',
      content: { 'application/json': { schema, example: { event: name, order, timestamp: order.updated_at } } },
    },
    responses: {
      '2XX': { $ref: '#/components/responses/webhook_delivered' },
      default: { $ref: '#/components/responses/webhook_failed' },
    },
  }
}

const parameters = {
  webhook_secret: {
    name: 'X-Webhook-Secret',
    in: 'header',
    required: true,
    description:
      'The `secret` of the webhook, as it is. There is no signature: this header alone proves who sends. Compare it in ' +
      'constant time before you read anything else, and answer 401 when it is missing or different.',
    schema: { type: 'string' },
  },
  webhook_id: {
    name: 'X-Webhook-Id',
    in: 'header',
    required: true,
    description:
      'One per event: the same on every attempt, and for every webhook of yours. An event may arrive more than once; ' +
      'recognise it by this.',
    schema: { type: 'string', format: 'uuid' },
  },
  webhook_attempt: {
    name: 'X-Webhook-Attempt',
    in: 'header',
    required: true,
    description: 'The number of the attempt. A delivery that is sent again by hand begins with 1.',
    schema: { type: 'integer', minimum: 1, maximum: 4 },
  },
}

const responses = {
  webhook_delivered: { description: 'Delivered. Answer within 2 seconds, and do the work afterwards.' },
  webhook_failed: {
    description:
      'Not delivered. No status ends the attempts: a redirect, which is not followed, a 4xx and a 410 count like a 5xx ' +
      'and like no answer within 10 seconds. Up to three more attempts follow 10 s, 100 s and 1,000 s later, give or take ' +
      'a fifth. After the last one the delivery has failed, and can be sent again by hand.',
    headers: {
      'Retry-After': {
        description: 'Makes the wait longer, up to an hour: seconds, or a date.',
        schema: { type: 'string' },
      },
    },
  },
}

/** A checkout of 151 SAR in which 5,000 points took off 25 SAR, at the rates that a program begins with. */
const paid: OrderPayload = {
  id: '019c137b-fb40-7c3a-9d52-3f6b1a2c4d5e',
  reference_number: 'VQ8K8ZPPCF',
  order_number: '1001',
  type: 'replacing',
  total_price: 151,
  total_points: 5_000,
  payment_status: 'fully_paid',
  order_status: 'approved',
  metadata: { branch: 'Olaya' },
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:32:10.000Z',
}

const later = '2026-02-02T08:15:00.000Z'

interface Event<Name extends SentEvent> {
  /** When it is sent. */
  readonly summary: string
  readonly description?: string
  /** The order of the example. */
  readonly order: SentOrder<Name>
}

/** docs/spec/webhooks.md#events */
const events: { readonly [Name in SentEvent]: Event<Name> } = {
  approved: {
    summary: 'A purchase has earned points, or a checkout is paid',
    description:
      'Before you act on it, compare the order with your own: `order.id` with the `order_uuid` that your server stored, ' +
      'and the total; or, with signed checkouts required, `order_number` and `total_price`.',
    order: paid,
  },
  authorized: {
    summary: 'The payment of an order is authorised, the first of two steps',
    order: { ...paid, order_status: 'authorized' },
  },
  captured: {
    summary: 'An authorised payment is captured, the second of two steps',
    order: { ...paid, order_status: 'captured', updated_at: later },
  },
  cancelled: {
    summary: 'An order is cancelled by the API',
    order: {
      ...paid,
      payment_status: 'partially_paid',
      order_status: 'cancelled',
      updated_at: later,
      reason: 'Out of stock',
    },
  },
  completed: {
    summary: 'A checkout is completed by the API',
    description: 'Comes with `approved`, of the same order.',
    order: paid,
  },
  refunded: {
    summary: 'An order is refunded, in whole or in part',
    order: {
      ...paid,
      order_status: 'partially_refunded',
      updated_at: later,
      reason: 'One item came back',
      refund_amount: 50,
      refund_points: 1_656,
      reversed_points: 417,
      left_points: 3_344,
      left_amount: 101,
    },
  },
  auto_refunded: {
    summary: 'A paid checkout is reversed, because its payment was not found at the provider',
    order: {
      ...paid,
      order_status: 'fully_refunded',
      updated_at: '2026-01-31T10:33:00.000Z',
      reason: 'auto_refund_missing_transaction',
      refund_amount: 151,
      refund_points: 5_000,
    },
  },
  shipping_status_updated: {
    summary: 'The shipping status of an order is set',
    order: {
      ...paid,
      updated_at: later,
      status: 'delivery_is_in_progress',
      status_label: 'With the courier',
      custom_status: { ar: 'مع المندوب', en: 'With the courier' },
    },
  },
  test: {
    summary: 'One of your staff, or an operator, tests the webhook',
    description: 'Only the tested webhook receives it. There is no such order.',
    order: {
      ...paid,
      reference_number: null,
      order_number: 'TEST',
      type: 'earning',
      total_price: 100,
      total_points: 1_000,
      metadata: null,
      updated_at: paid.created_at,
    },
  },
}
