// The requests and answers of the API, by the operations of openapi.json: `import type { Body, Data } from 'nuqta/api'`.
import type { components, operations, webhooks } from './openapi.js'

export type { components, operations, paths, webhooks } from './openapi.js'

/** The name of an operation: `postOrdersEarning`. */
export type Operation = keyof operations

type Json<Carrier> = Carrier extends { content: { 'application/json': infer Value } } ? Value : never

/** The JSON body of a request: `Body<'postOrdersEarning'>`. */
export type Body<Name extends Operation> = Json<NonNullable<operations[Name]['requestBody']>>

/** The whole answer of a request that was done, in its envelope. */
export type Success<Name extends Operation> = Json<operations[Name]['responses'][200]>

/** The `data` of a request that was done: `Data<'getOrdersOrderUuid'>` is an order. */
export type Data<Name extends Operation> = Success<Name>['data']

/** The answer of a request that was refused; a 422 has `errors` by field. */
export type Failure = components['schemas']['Failure'] | components['schemas']['ValidationFailure']

/** The name of an event that a webhook receives: `refunded`, or `test`. */
export type EventName = keyof webhooks

/** The body of a delivery: `WebhookEvent<'refunded'>`. `WebhookEvent` is any of them, which `event` tells apart. */
export type WebhookEvent<Name extends EventName = EventName> = Json<webhooks[Name]['post']['requestBody']>
