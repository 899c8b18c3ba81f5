import Type, { type Static } from 'typebox'
import { refuseFields } from '../../domain/failures.ts'
import { parseUuid } from '../../domain/ids.ts'
import { refine, text } from '../../http/api/fields.ts'
import { limitOf, listPagination, listQuery, pageOf } from '../../http/dashboard/list.ts'
import type { ProgramRequest } from '../../http/dashboard/route.ts'
import {
  personDetailSchema,
  personEntrySchema,
  personOrderSchema,
  personSchema,
  viewEntry,
  viewPerson,
  viewPersonDetail,
  viewPersonOrder,
} from './dashboard-view.ts'
import type { People } from './pages.ts'
import type { PersonPlace, PersonRow } from './queries.ts'

/** Customers across the merchants of a program. */

export interface PeopleServices {
  readonly people: People
}

const tag = 'Customers of a program'

const isCursor = (value: unknown): boolean => typeof value !== 'string' || placeOf(value) !== null

const peopleQuery = Type.Object({
  ...listQuery,
  // A name has up to 255 characters of four bytes.
  after: Type.Optional(
    refine(Type.String({ maxLength: 1_500, description: '`next` of the page before.' }), 'list_place', isCursor),
  ),
  q: Type.Optional(text({ max: 255, description: 'A phone, a uuid, or the beginning of a name.' })),
})

function cursorOf({ customer_id, sorted }: PersonRow): string {
  return `${customer_id}.${Buffer.from(sorted ?? '').toString('base64url')}`
}

function placeOf(cursor: string): PersonPlace | null {
  const [, uuid = '', name = ''] = /^([0-9a-f-]{36})\.([\w-]*)$/.exec(cursor) ?? []
  const customer_id = parseUuid(uuid)
  const sorted = Buffer.from(name, 'base64url').toString()
  return customer_id === null || sorted.includes('\0') ? null : { customer_id, sorted }
}

export const listPeople = {
  tag,
  summary: 'List the customers of a program, the newest first, or find some',
  query: peopleQuery,
  data: Type.Array(Type.Object(personSchema)),
  pagination: listPagination,
  async handle(
    { program, query }: ProgramRequest<undefined, never, Static<typeof peopleQuery>>,
    { people }: PeopleServices,
  ) {
    const limit = limitOf(query)
    const after = query.after === undefined ? null : placeOf(query.after)
    const found = await people.find(program.program_id, { q: query.q ?? '', after, limit: limit + 1 })
    return pageOf(found, { limit, view: viewPerson, cursor: cursorOf })
  },
} as const

const keyOf = ({ program, params }: Pick<ProgramRequest<undefined, 'customerId'>, 'program' | 'params'>) => ({
  program_id: program.program_id,
  customer_id: params.customerId,
})

export const readPerson = {
  tag,
  summary: 'Read a customer with the wallet, held points, earnings that wait, and sign-ins',
  data: personDetailSchema,
  failures: ['not_found'],
  async handle(request: ProgramRequest<undefined, 'customerId'>, { people }: PeopleServices) {
    return viewPersonDetail(await people.read(keyOf(request)))
  },
} as const

const pageQuery = Type.Object(listQuery)
type PageRequest = ProgramRequest<undefined, 'customerId', Static<typeof pageQuery>>

export const listPersonEntries = {
  tag,
  summary: "List what happened to a customer's points at all merchants, the newest first",
  query: pageQuery,
  data: Type.Array(personEntrySchema),
  pagination: listPagination,
  async handle(request: PageRequest, { people }: PeopleServices) {
    const { after } = request.query
    if (after !== undefined && !/^\d{1,15}$/.test(after)) return refuseFields({ field: 'after', rule: 'list_place' })
    const limit = limitOf(request.query)
    const page = { before: after === undefined ? null : Number(after), limit: limit + 1 }
    const entries = await people.entries(keyOf(request), page)
    return pageOf(entries, { limit, view: viewEntry, cursor: ({ version }) => String(version) })
  },
} as const

export const listPersonOrders = {
  tag,
  summary: 'List the orders of a customer at all merchants, the newest first',
  description: 'With those of the numbers that were merged into this one.',
  query: pageQuery,
  data: Type.Array(personOrderSchema),
  pagination: listPagination,
  async handle(request: PageRequest, { people }: PeopleServices) {
    const { after } = request.query
    const before = after === undefined ? null : parseUuid(after)
    if (after !== undefined && before === null) return refuseFields({ field: 'after', rule: 'list_place' })
    const limit = limitOf(request.query)
    const orders = await people.orders(keyOf(request), { before, limit: limit + 1 })
    return pageOf(orders, { limit, view: viewPersonOrder, cursor: ({ order_uuid }) => order_uuid })
  },
} as const
