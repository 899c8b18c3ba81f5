import { expectTypeOf, test } from 'vitest'
import type { Body, Data, Failure, Operation, Success } from '../../types/api.d.ts'

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
