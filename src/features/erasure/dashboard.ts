import Type, { type Static } from 'typebox'
import { refuseFields } from '../../domain/failures.ts'
import { parsePhone } from '../../domain/phone.ts'
import { instant, nullable, object, oneOf, text, uuid } from '../../http/api/fields.ts'
import type { ProgramRequest } from '../../http/dashboard/route.ts'
import type { ErasureRequestRow } from './request-queries.ts'
import type { ErasureRequests } from './requests.ts'

export interface ErasureServices {
  readonly erasureRequests: ErasureRequests
}

const tag = 'Customers of a program'
const max_reason = 500
/** Requests that the list shows. */
const most_shown = 100

const request = Type.Object({
  request_uuid: uuid(),
  customer_id: uuid(),
  state: oneOf(['due', 'done', 'failed', 'cancelled'], { description: '`due`: it waits.' }),
  reason: nullable(Type.String({ description: 'Null once it has ended, and in the answer to whoever asks.' })),
  asked_by: Type.String(),
  asked_at: instant(),
  cancellable: Type.Boolean({
    description:
      'Not once the customer is erased: what is still `due` then waits for deliveries that were under way. Nor once the customer is merged.',
  }),
  ended_by: nullable(Type.String()),
  ended_at: nullable(instant()),
  obstacle: nullable(
    oneOf(['order', 'merged', 'error'], {
      description: 'Why it waits or has failed: an order is under way, the customer was merged, or an attempt failed.',
    }),
  ),
  order: nullable(
    Type.Object(
      { order_uuid: uuid(), order_number: Type.String(), merchant_id: Type.Integer() },
      { description: 'The order that is under way.' },
    ),
  ),
})
const by_command = Type.Boolean({
  description: 'No running process may erase: what waits is done by `nuqta customers erase --requested`.',
})

function view(row: ErasureRequestRow): Static<typeof request> {
  const { request_uuid, customer_id, state, reason, asked_by, ended_by, obstacle } = row
  const { created_at, ended_at, erased_at, order_uuid, order_number, merchant_id } = row
  const isKnown = order_uuid !== null && order_number !== null && merchant_id !== null
  return {
    ...{ request_uuid, customer_id, state, reason, asked_by, ended_by, obstacle },
    asked_at: created_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
    cancellable: state === 'due' && erased_at === null,
    order: isKnown ? { order_uuid, order_number, merchant_id } : null,
  }
}

/** The answer is kept for a day under its Idempotency-Key, where no erasure would look for a reason. */
const viewAsked = (row: ErasureRequestRow) => view({ ...row, reason: null })

type Request<Body = undefined> = ProgramRequest<Body, 'customerId'>

const customerOf = ({ program, params }: Pick<Request, 'program' | 'params'>) => ({
  program_id: program.program_id,
  customer_id: params.customerId,
})

export const readErasure = {
  tag,
  summary: 'Read the last request to erase a customer',
  data: Type.Object({ request: nullable(request), by_command }),
  async handle(asked: Request, { erasureRequests }: ErasureServices) {
    const last = await erasureRequests.read(customerOf(asked))
    return { request: last === undefined ? null : view(last), by_command: await erasureRequests.needCommand() }
  },
} as const

export const listErasures = {
  tag,
  summary: 'List the erasures of a program that wait, the oldest first',
  data: Type.Object({
    requests: Type.Array(request, { description: `The first ${most_shown}.` }),
    more: Type.Boolean(),
    by_command,
  }),
  async handle({ program: { program_id } }: ProgramRequest, { erasureRequests }: ErasureServices) {
    const waiting = await erasureRequests.waiting(program_id, most_shown + 1)
    return {
      requests: waiting.slice(0, most_shown).map(view),
      more: waiting.length > most_shown,
      by_command: await erasureRequests.needCommand(),
    }
  },
} as const

const asking = object({
  phone: text({ max: 40, description: "The customer's number typed once more, in any accepted format." }),
  reason: text({ max: max_reason, description: 'Operators alone read it, until the request ends.' }),
})

export const askForErasure = {
  tag,
  summary: 'Ask for the erasure of a customer',
  description:
    'A process with the rights of the owner of the database does it, or a command. Until then it waits, and can be cancelled; an erasure itself cannot be undone.',
  body: asking,
  data: request,
  failures: ['not_found', 'validation'],
  async handle(asked: Request<Static<typeof asking>>, { erasureRequests }: ErasureServices) {
    const { body, actor, once } = asked
    const phone = parsePhone(body.phone) ?? refuseFields({ field: 'phone', rule: 'phone' })
    const how = { phone, reason: body.reason, by: actor, keep: once.keeping(viewAsked) }
    return viewAsked(await erasureRequests.ask(customerOf(asked), how))
  },
} as const

export const cancelErasure = {
  tag,
  summary: 'Cancel the erasure of a customer while it waits',
  data: request,
  failures: ['not_found'],
  async handle(asked: Request, { erasureRequests }: ErasureServices) {
    return view(await erasureRequests.cancel(customerOf(asked), asked.actor))
  },
} as const
