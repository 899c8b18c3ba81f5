import Type, { type Static, type TSchema } from 'typebox'
import { type EventName, type EventPayloads, eventNames } from '../../domain/events.ts'
import { orderStates, shippingStatuses } from '../../domain/order.ts'
import { instant, nullable, oneOf, optional, uuid } from './fields.ts'

/** The schemas of the events that merchants receive: of `order` in each, and of the whole body. */

const points = (description: string) => Type.Integer({ description })
const money = (description: string) => Type.Number({ description })

const common = {
  id: uuid({ description: 'The `uuid` of the order, and the `order_uuid` of its checkout.' }),
  reference_number: nullable(
    Type.String({ description: 'Short, to be read over the phone.', examples: ['VQ8K8ZPPCF'] }),
    { description: 'Null in a test.' },
  ),
  order_number: Type.String({ description: 'Your own number of the order.', examples: ['1001'] }),
  type: oneOf(['earning', 'replacing'], {
    description: '`earning`: points are awarded for it. `replacing`: a checkout, in which points can be redeemed.',
  }),
  total_price: money('The total of the order, in SAR.'),
  total_points: points('Points awarded (earning) or redeemed (replacing).'),
  payment_status: oneOf(['partially_paid', 'fully_paid'], {
    description: '`partially_paid` while money is still to be paid.',
  }),
  order_status: oneOf(orderStates, { description: 'Financial state at the event.' }),
  metadata: nullable(
    Type.Unsafe<object>({ type: 'object', additionalProperties: true, examples: [{ branch: 'Olaya' }] }),
    { description: 'As you sent it; null without.' },
  ),
  created_at: instant({ description: 'When the order was made, in UTC.', examples: ['2026-01-31T09:30:00.000Z'] }),
  updated_at: instant({ description: 'In UTC. It says which of two events of an order is newer.' }),
}

const order = Type.Object(common, { description: 'The order as it was at the event.' })

function orderAnd<const Fields extends Readonly<Record<string, TSchema>>>(fields: Fields) {
  return Type.Object({ ...common, ...fields }, { description: 'The order as it was at the event, and what happened.' })
}

const orders = {
  approved: order,
  authorized: order,
  captured: order,
  completed: order,
  cancelled: orderAnd({
    reason: nullable(Type.String(), {
      description:
        'As sent with the cancellation; `Order cancelled via API` without one. Null if the customer was erased since.',
    }),
  }),
  shipping_status_updated: orderAnd({
    status: oneOf(shippingStatuses, { description: 'Shipping status.' }),
    status_label: Type.String({ description: "The status, or its custom label, in the program's language." }),
    custom_status: nullable(Type.Object({ ar: Type.String(), en: Type.String() }), {
      description: 'The custom label in both languages; null without one.',
    }),
  }),
  refunded: orderAnd({
    reason: nullable(Type.String(), { description: 'As sent with the refund; null without one.' }),
    refund_amount: money('What this refund gives back, in SAR.'),
    refund_points: points('Points of this refund: taken back (earning), or returned to the customer (replacing).'),
    reversed_points: optional(
      points('Only for a replacing order: points that its money part had earned and that are taken back.'),
    ),
    left_points: points('Points that remain of the order.'),
    left_amount: money('What remains of the order, in SAR.'),
  }),
  auto_refunded: orderAnd({
    reason: Type.String({ description: '`auto_refund_missing_transaction`.' }),
    refund_amount: money('What was reversed, in SAR: all that remained of the order.'),
    refund_points: points('Points returned to the customer.'),
  }),
}

type Flat<T> = T extends object ? { readonly [Key in keyof T]: Flat<T[Key]> } : T
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** `never` for an event whose schema and payload differ in a field, in either direction. */
type Agreeing<Schemas extends Readonly<Record<EventName, TSchema>>> = {
  readonly [Name in EventName]: Same<Flat<Static<Schemas[Name]>>, Flat<EventPayloads[Name]>> extends true
    ? Schemas[Name]
    : never
}

/** The schema of `order` in each event. It compiles only while the domain builds what is described. */
const agreeing: Agreeing<typeof orders> = orders

/** The events of orders, and the test of a webhook. */
export const sentEvents = [...eventNames, 'test'] as const

export type SentEvent = (typeof sentEvents)[number]

/** The `order` object of an event; a test's is that of a purchase. */
export type SentOrder<Name extends SentEvent> = EventPayloads[Name extends EventName ? Name : 'approved']

/** The name of the schema that most events share, in the API description. */
const shared_order = 'EventOrder'

/** The schemas of the API description: one for each body, by its name there, and the shared one. */
export function eventSchemas(): Readonly<Record<string, TSchema>> {
  const bodies = sentEvents.map((name) => [schemaName(name), bodyOf(name)] as const)
  return { [shared_order]: order, ...Object.fromEntries(bodies) }
}

/** `auto_refunded` → `AutoRefundedEvent`. */
export function schemaName(name: SentEvent): string {
  return `${name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`
}

function bodyOf(name: SentEvent): TSchema {
  const schema = name === 'test' ? order : agreeing[name]
  return Type.Object({
    event: Type.Literal(name, { description: 'The name of the event, as in `X-Webhook-Event`.' }),
    order: schema === order ? Type.Unsafe({ $ref: `#/components/schemas/${shared_order}` }) : schema,
    timestamp: instant({ description: 'When the event happened, in UTC.' }),
  })
}
