import { expectTypeOf, test } from 'vitest'
import type { Body, Data, EventName, Failure, Operation, Success, WebhookEvent, webhooks } from '../../types/api.d.ts'

// The types that integrators import from `nuqta/api`. The test is that `npm run types` compiles this file.

type Order = Data<'getOrdersOrderUuid'>

test('a request has the fields of its description', () => {
  expectTypeOf<Body<'postOrdersEarning'>>().toHaveProperty('phone_number')
  expectTypeOf<Body<'postOrdersEarning'>['order_number']>().toEqualTypeOf<string>()
  expectTypeOf<Body<'getOrdersOrderUuid'>>().toBeNever()
})

test('an answer is an envelope around its data', () => {
  expectTypeOf<Success<'getOrdersOrderUuid'>['status']>().toEqualTypeOf<true>()
  expectTypeOf<Order['uuid']>().toEqualTypeOf<string>()
  expectTypeOf<'approved'>().toExtend<Order['order_status']>()
  expectTypeOf<'sent'>().not.toExtend<Order['order_status']>()
})

test('a refusal has a message, and may name fields', () => {
  expectTypeOf<Failure['status']>().toEqualTypeOf<false>()
  expectTypeOf<Failure['message']>().toEqualTypeOf<string>()
})

test('only operations of the description have types', () => {
  expectTypeOf<'postOrdersEarning'>().toExtend<Operation>()
  expectTypeOf<'deleteOrders'>().not.toExtend<Operation>()
})

test('a delivery has the fields of its event, which its name tells apart', () => {
  expectTypeOf<webhooks['approved']['post']['requestBody']['content']['application/json']>().toEqualTypeOf<
    WebhookEvent<'approved'>
  >()
  expectTypeOf<keyof webhooks['approved']['post']['parameters']['header']>().toEqualTypeOf<
    'X-Webhook-Secret' | 'X-Webhook-Id' | 'X-Webhook-Attempt' | 'X-Webhook-Event'
  >()
  expectTypeOf<'settlement_closed'>().not.toExtend<EventName>()
  expectTypeOf<WebhookEvent<'approved'>['order']>().not.toHaveProperty('reason')
  const pointsBack = (sent: WebhookEvent): number => {
    if (sent.event !== 'refunded') return 0
    const { refund_points, reversed_points = 0 } = sent.order
    return refund_points - reversed_points
  }
  expectTypeOf(pointsBack).parameter(0).toHaveProperty('timestamp')
})
