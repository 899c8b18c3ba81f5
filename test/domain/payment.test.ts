import { describe, expect, it } from 'vitest'
import { asHalalas } from '../../src/domain/money.ts'
import { decideTask, type ProviderRecord, type TaskFacts, waitBeforeTry } from '../../src/domain/payment.ts'
import { hour_ms } from '../../src/domain/spans.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { rowsOf } from '../support/tables.ts'

const [this_one, another] = [newUuid(), newUuid()]

const task = (changes: Partial<TaskFacts>): TaskFacts => ({
  kind: 'give_back',
  amount_halalas: asHalalas(8_000),
  refund_name: this_one,
  refunded_before_halalas: null,
  payment_state: 'created',
  age_ms: 0,
  captured_ms: null,
  ...changes,
})

const known = (changes: Partial<ProviderRecord>): ProviderRecord => ({
  state: 'paid',
  amount_halalas: asHalalas(8_000),
  refunded_halalas: asHalalas(0),
  refund_uuids: [],
  ...changes,
})

describe('the next step of a task', () => {
  it.each(
    rowsOf(`
      capture    authorized  ask capture, then paid
      capture    paid        done, paid
      capture    pending     wait
      capture    voided      refused
      capture    failed      refused
      void       authorized  ask void, then voided
      void       voided      done, voided
      void       failed      done, failed
      void       pending     ask void, then failed
      void       paid        ask refund of 8000, then returned
      give_back  authorized  ask void, then returned
      give_back  voided      done, returned
      give_back  failed      done, failed
      give_back  pending     ask void, then failed
      give_back  paid        ask refund of 8000, then returned
      refund     paid        ask refund of 8000
      refund     authorized  wait
      refund     pending     refused
      refund     voided      done, voided
      refund     failed      refused
    `),
  )('%s of a payment that is %s: %s', (kind, state, expected) => {
    const facts = { kind: kind as TaskFacts['kind'] }
    expect(tell(decideTask(task(facts), known({ state: state as ProviderRecord['state'] })))).toBe(expected)
  })

  function tell(step: ReturnType<typeof decideTask>): string {
    if (step.kind === 'done') return step.to === null ? 'done' : `done, ${step.to}`
    if (step.kind !== 'ask') return step.kind
    const what = step.what === 'refund' ? `refund of ${step.amount_halalas}` : step.what
    return step.to === null ? `ask ${what}` : `ask ${what}, then ${step.to}`
  }

  it('refunds the rest, and is done when nothing is left', () => {
    const step = (refunded: number) => decideTask(task({}), known({ refunded_halalas: asHalalas(refunded) }))
    expect(step(3_000)).toMatchObject({ what: 'refund', amount_halalas: 5_000 })
    expect(step(8_000)).toEqual({ kind: 'done', to: 'returned' })
  })

  it('accepts a refusal only when it ends an unused page, which expires by itself', () => {
    expect(decideTask(task({}), known({ state: 'pending' }))).toMatchObject({ refusal_ends: false })
    expect(decideTask(task({}), known({ state: 'authorized' }))).toMatchObject({ refusal_ends: true })
    expect(decideTask(task({ age_ms: 24 * hour_ms }), known({ state: 'pending' }))).toEqual({
      kind: 'done',
      to: 'failed',
    })
  })

  it('waits a day for a payment that the provider does not know, unless it was paid before', () => {
    for (const payment_state of ['created', 'failed'] as const) {
      expect(decideTask(task({ payment_state }), null)).toMatchObject({ kind: 'wait' })
      expect(decideTask(task({ payment_state, age_ms: 24 * hour_ms }), null)).toEqual({ kind: 'done', to: 'failed' })
    }
    for (const payment_state of ['surplus', 'paid', 'authorized'] as const)
      expect(decideTask(task({ payment_state }), null)).toMatchObject({ kind: 'refused' })
    for (const kind of ['capture', 'void', 'refund'] as const)
      expect(decideTask(task({ kind }), null)).toMatchObject({ kind: 'refused' })
  })

  it('of a refund waits an hour for the capture, from the capture on', () => {
    const authorized = known({ state: 'authorized' })
    const late = task({ kind: 'refund', age_ms: 5 * hour_ms, captured_ms: hour_ms - 1 })
    expect(decideTask(late, authorized)).toMatchObject({ kind: 'wait' })
    const voids = { kind: 'ask', what: 'void', to: 'voided', refusal_ends: true }
    expect(decideTask({ ...late, captured_ms: hour_ms }, authorized)).toEqual(voids)
    expect(decideTask(task({ kind: 'refund', age_ms: hour_ms - 1 }), authorized)).toMatchObject({ kind: 'wait' })
    expect(decideTask(task({ kind: 'refund', age_ms: hour_ms }), authorized)).toEqual(voids)
  })

  it('of a partial refund is refused while the money is only held or already voided', () => {
    const part = task({ kind: 'refund', age_ms: hour_ms, amount_halalas: asHalalas(7_999) })
    for (const state of ['authorized', 'voided'] as const)
      expect(decideTask(part, known({ state }))).toEqual({ kind: 'refused', why: `the payment is ${state}` })
  })
})

describe('a refund whose response was lost', () => {
  const refund = { kind: 'refund', amount_halalas: asHalalas(3_000) } as const

  it('is found by its id if the provider stores it, whatever else was refunded', () => {
    const facts = { refunded_halalas: asHalalas(6_000), refund_uuids: [another, this_one] }
    expect(decideTask(task(refund), known(facts))).toEqual({ kind: 'done', to: null })
    const other = { ...facts, refund_uuids: [another] }
    const asked = task({ ...refund, refunded_before_halalas: asHalalas(0) })
    expect(decideTask(asked, known(other))).toMatchObject({ kind: 'ask' })
  })

  it('is found by the amount refunded since the first request, if the provider stores no ids', () => {
    const step = (before: number | null, refunded: number) => {
      const refunded_before_halalas = before === null ? null : asHalalas(before)
      const facts = { refunded_halalas: asHalalas(refunded), refund_uuids: undefined }
      return decideTask(task({ ...refund, refunded_before_halalas }), known(facts)).kind
    }
    expect(step(null, 3_000)).toBe('ask')
    expect(step(1_000, 1_000)).toBe('ask')
    expect(step(1_000, 3_999)).toBe('ask')
    expect(step(1_000, 4_000)).toBe('done')
  })
})

it('waits longer after each try, and long enough for a lost response to show', () => {
  expect([1, 2, 3, 4, 5, 6, 100].map((attempts) => waitBeforeTry(attempts, false) / 1000)).toEqual([
    10, 30, 120, 600, 3_600, 3_600, 3_600,
  ])
  expect([1, 3, 4, 5].map((attempts) => waitBeforeTry(attempts, true) / 1000)).toEqual([150, 150, 600, 3_600])
})
