import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { dashboardRoutes } from '../../src/dashboard-routes.ts'
import { eventNames, eventPayload, type OrderSnapshot } from '../../src/domain/events.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { asPoints } from '../../src/domain/points.ts'
import { decideAutoRefund, decideRefund } from '../../src/domain/refund.ts'
import { buildOpenApi } from '../../src/http/api/openapi.ts'
import { buildDashboardOpenApi } from '../../src/http/dashboard/openapi.ts'
import { closed } from '../support/contract.ts'

// The events in the API description. That they arrive as described: test/features/webhooks/described-deliveries.test.ts.

type Json = { readonly [name: string]: Json }

const description = buildOpenApi([]) as unknown as Json
const whole = closed(description, description['webhooks']) as Json
const events = Object.entries(whole).map(([name, item]) => ({ name, post: item['post'] ?? {} }))
const bodyOf = (post: Json) => post['requestBody']?.['content']?.['application/json'] ?? {}

describe('the webhooks of the API description', () => {
  it('are all events of orders and the test, and the dashboard describes none', () => {
    expect(Object.keys(whole)).toEqual([...eventNames, 'test'])
    const dashboard = buildDashboardOpenApi(dashboardRoutes) as Json
    expect(dashboard).not.toHaveProperty('webhooks')
    expect(Object.keys(dashboard['components']?.['schemas'] ?? {})).toEqual(['Failure', 'ValidationFailure'])
  })

  it('do not forbid fields that come later', () => {
    expect(JSON.stringify(description['components']?.['schemas'])).not.toContain('"additionalProperties":false')
  })

  it.each(events)('$name has a summary, the headers of the contract, a body and what its answers mean', ({ post }) => {
    expect(post['summary']).toMatch(/^[A-Z].{20,}[^.]$/)
    const headers = Object.values(post['parameters'] ?? {})
    const of_all = { in: 'header', required: true, description: expect.stringMatching(/\.$/) }
    expect(headers).toEqual(
      ['Secret', 'Id', 'Attempt', 'Event'].map((name) => ({
        ...of_all,
        name: `X-Webhook-${name}`,
        schema: expect.anything(),
      })),
    )
    expect(post['requestBody']).toMatchObject({ required: true })
    expect(Object.keys(post['responses'] ?? {})).toEqual(['2XX', 'default'])
  })

  it.each(events)(
    'the body of $name may have more fields, and its example has those that are described',
    ({ name, post }) => {
      const { schema = {}, example = {} } = bodyOf(post)
      expect(JSON.stringify(description['components']?.['schemas'])).not.toContain('"additionalProperties":false')
      const check = Compile(schema)
      expect([...check.Errors(example)]).toEqual([])
      expect(example).toMatchObject({ event: name, timestamp: example['order']?.['updated_at'] })
      expect(Object.keys(example['order'] ?? {})).toEqual(
        Object.keys(schema['properties']?.['order']?.['properties'] ?? {}),
      )
    },
  )

  it.each(events)('each field of $name says what it holds, and money its unit', ({ post }) => {
    const fields = Object.entries(bodyOf(post)['schema']?.['properties']?.['order']?.['properties'] ?? {})
    expect(fields.length).toBeGreaterThan(10)
    for (const [name, field] of fields) expect(field['description'], name).toMatch(/\.$/)
    for (const [name, field] of fields.filter(([, { type }]) => String(type) === 'number'))
      expect(field['description'], name).toContain('SAR')
  })

  it('show a refund and a reversal as the service reckons them', () => {
    const order = (name: string) => bodyOf(whole[name]?.['post'] ?? {})['example']?.['order'] ?? {}
    const facts = {
      type: 'replacing',
      state: 'approved',
      total_halalas: asHalalas(15_100),
      refunded_halalas: asHalalas(0),
      earned_points: asPoints(1_260),
      redeemed_points: asPoints(5_000),
      provider_paid_halalas: asHalalas(12_600),
      paid_at_ms: 0,
      refund_window_days: 30,
      settled: false,
      wallet: null,
    } as const
    const refund = decideRefund(facts, asHalalas(5_000), 0)
    const reversal = decideAutoRefund(facts)
    if (refund.kind !== 'refund' || reversal.kind !== 'refund') throw new Error('it was refused')
    const reason = 'One item came back'
    expect(order('refunded')).toEqual(eventPayload('refunded', snapshotOf(order('refunded')), { refund, reason }))
    expect(order('auto_refunded')).toEqual(
      eventPayload('auto_refunded', snapshotOf(order('auto_refunded')), { refund: reversal }),
    )
  })
})

/** The order of an example, as it is stored. */
function snapshotOf(shown: object): OrderSnapshot {
  const { id: uuid, order_status: state, ...rest } = shown as Record<string, never>
  const money = { total_halalas: asHalalas(15_100), due_halalas: asHalalas(12_600) }
  return {
    ...(rest as unknown as OrderSnapshot),
    ...money,
    uuid: uuid ?? '',
    state: state ?? 'new',
    was_authorized: false,
  }
}
