import Type, { type Static } from 'typebox'
import type { Database } from '../../db/pool.ts'
import { refuseFields } from '../../domain/failures.ts'
import { type Phone, parsePhone } from '../../domain/phone.ts'
import { object, text, uuid } from '../../http/api/fields.ts'
import type { ProgramRequest } from '../../http/dashboard/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { type Blocked, blockCustomer, max_block_reason, unblockCustomer } from './block.ts'
import { mergePreviewSchema, viewMergePreview } from './dashboard-view.ts'
import { type Merged, mergeCustomers, previewMerge } from './merge.ts'

/** What operators do about customers. */

export interface PeopleChanges {
  readonly block: Bound<typeof blockCustomer>
  readonly unblock: Bound<typeof unblockCustomer>
  readonly preview: (asked: Parameters<typeof previewMerge>[1]) => ReturnType<typeof previewMerge>
  readonly merge: (
    asked: Parameters<typeof mergeCustomers>[1],
    keep: Parameters<typeof mergeCustomers>[2],
  ) => ReturnType<typeof mergeCustomers>
}

/** A service with its database. */
type Bound<F> = F extends (db: Database, ...rest: infer Rest) => infer Result ? (...rest: Rest) => Result : never

export function createPeopleChanges(parts: { readonly db: Database; readonly clock: Clock }): PeopleChanges {
  const { db } = parts
  return {
    block: (customer, how) => blockCustomer(db, customer, how),
    unblock: (customer, how) => unblockCustomer(db, customer, how),
    preview: (asked) => previewMerge({ db }, asked),
    merge: (asked, keep) => mergeCustomers(parts, asked, keep),
  }
}

export interface PeopleChangeServices {
  readonly peopleChanges: PeopleChanges
}

const tag = 'Customers of a program'
const blockedSchema = Type.Object({
  blocked: Type.Boolean(),
  sessions_ended: Type.Integer({ description: 'Sign-ins, remembered browsers and cards that this ended.' }),
})
const viewBlocked = ({ blocked, sessions_ended }: Blocked) => ({ blocked, sessions_ended })

const why = object({ reason: text({ max: max_block_reason, description: 'Operators alone read it.' }) })

export const blockPerson = {
  tag,
  summary: 'Block a customer',
  description:
    'They cannot use or see their points, and every sign-in ends. Points still come in, and orders go on. The block can be lifted.',
  body: why,
  data: blockedSchema,
  failures: ['not_found'],
  async handle(
    { program, params, body, actor, once }: ProgramRequest<Static<typeof why>, 'customerId'>,
    { peopleChanges }: PeopleChangeServices,
  ) {
    const customer = { program_id: program.program_id, customer_id: params.customerId }
    const how = { reason: body.reason, by: actor, keep: once.keeping(viewBlocked) }
    return viewBlocked(await peopleChanges.block(customer, how))
  },
} as const

export const unblockPerson = {
  tag,
  summary: 'Lift the block of a customer',
  data: blockedSchema,
  failures: ['not_found'],
  async handle(
    { program, params, actor, once }: ProgramRequest<undefined, 'customerId'>,
    { peopleChanges }: PeopleChangeServices,
  ) {
    const customer = { program_id: program.program_id, customer_id: params.customerId }
    return viewBlocked(await peopleChanges.unblock(customer, { by: actor, keep: once.keeping(viewBlocked) }))
  },
} as const

const phoneText = () => text({ max: 40, description: 'The number that stays, in any accepted format.' })

function phoneOf(typed: string): Phone {
  return parsePhone(typed) ?? refuseFields({ field: 'phone', rule: 'phone' })
}

const previewQuery = Type.Object({ phone: phoneText() })

export const previewMergeOfPerson = {
  tag,
  summary: "Read what merging a customer's number into another would move",
  description: 'It refuses what the merge refuses, and changes nothing.',
  query: previewQuery,
  data: mergePreviewSchema,
  failures: ['not_found', 'validation', 'customer_busy', 'customer_blocked'],
  async handle(
    { program, params, query }: ProgramRequest<undefined, 'customerId', Static<typeof previewQuery>>,
    { peopleChanges }: PeopleChangeServices,
  ) {
    const into_phone = phoneOf(query.phone)
    const asked = { program_id: program.program_id, from: params.customerId, into_phone }
    return viewMergePreview(await peopleChanges.preview(asked))
  },
} as const

const into = object({ phone: phoneText() })

const viewMerged = ({ into_customer_id, points, posted, orders_created }: Merged) => ({
  into_customer_id,
  points,
  posted,
  orders_created,
})

export const mergePerson = {
  tag,
  summary: "Merge a customer's number into another of the same person",
  description:
    'The whole balance moves, and later changes of its orders move points there too. The number is free again. It cannot be undone.',
  body: into,
  data: Type.Object({
    into_customer_id: uuid(),
    points: Type.Integer(),
    posted: Type.Integer(),
    orders_created: Type.Integer(),
  }),
  failures: ['not_found', 'validation', 'customer_busy', 'customer_blocked'],
  async handle(
    { program, params, body, actor, once }: ProgramRequest<Static<typeof into>, 'customerId'>,
    { peopleChanges }: PeopleChangeServices,
  ) {
    const { program_id, locale } = program
    const asked = { program_id, locale, from: params.customerId, into_phone: phoneOf(body.phone), by: actor }
    return viewMerged(await peopleChanges.merge(asked, once.keeping(viewMerged)))
  },
} as const
