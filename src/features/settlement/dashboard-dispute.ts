import Type, { type Static } from 'typebox'
import { instant, nullable, object, text } from '../../http/api/fields.ts'
import type { ProgramMerchantRequest } from '../../http/dashboard/route.ts'
import { type Disputes, max_dispute_reason } from './exclusion.ts'

export interface DisputeServices {
  readonly disputes: Disputes
}

const tag = 'Settlements'
const data = Type.Object({
  left_out: nullable(
    Type.Object({
      since: instant(),
      reason: nullable(Type.String({ description: 'Null once an erasure has taken it.' })),
    }),
  ),
})

type Request<Body = undefined> = ProgramMerchantRequest<Body, 'orderUuid'>

const ofOrder = ({ merchant: { program_id, merchant_id }, params }: Pick<Request, 'merchant' | 'params'>) => ({
  ...{ program_id, merchant_id },
  order_uuid: params.orderUuid,
})

export const readDispute = {
  tag,
  summary: 'Read whether an order is left out of settlements',
  data,
  async handle(request: Request, { disputes }: DisputeServices) {
    const found = await disputes.read(ofOrder(request))
    return { left_out: found === undefined ? null : { since: found.excluded_at.toISOString(), reason: found.reason } }
  },
} as const

const reason = object({ reason: text({ max: max_dispute_reason, description: 'For operators: why.' }) })
const same = (): object => ({})

export const beginDispute = {
  tag,
  summary: 'Leave a paid order of the open period out of settlements',
  description: 'It stays open, and can be refunded, until it is taken in again.',
  body: reason,
  data: Type.Object({}),
  failures: ['order_not_found', 'cannot_leave_out', 'left_out_full'],
  async handle(request: Request<Static<typeof reason>>, { disputes }: DisputeServices) {
    const asked = { ...ofOrder(request), by: request.actor, reason: request.body.reason }
    await disputes.begin(asked, request.once.keeping(same))
    return {}
  },
} as const

export const endDispute = {
  tag,
  summary: 'Take an order that is left out into the open period, with all its entries',
  data: Type.Object({}),
  failures: ['order_not_found', 'not_left_out'],
  async handle(request: Request, { disputes }: DisputeServices) {
    await disputes.end({ ...ofOrder(request), by: request.actor })
    return {}
  },
} as const
