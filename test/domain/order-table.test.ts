import { expect, test } from 'vitest'
import {
  decideTransition,
  type Move,
  type OrderAction,
  type OrderState,
  orderActions,
  orderStates,
  orderTable,
  storedStates,
} from '../../src/domain/order.ts'
import { rowsOf } from '../support/tables.ts'

const types = ['earning', 'replacing'] as const

/** Type, state and action, with the next state or the failure: every combination. */
const decisions = rowsOf(`
  earning    new                 award        approved
  earning    new                 pay          not_a_replacing_order
  earning    new                 complete     not_a_replacing_order
  earning    new                 authorize    cannot_authorize
  earning    new                 capture      cannot_capture
  earning    new                 cancel       cannot_cancel
  earning    new                 refund_all   cannot_refund
  earning    new                 refund_part  cannot_refund
  earning    new                 auto_refund  cannot_refund
  earning    approved            award        unexpected
  earning    approved            pay          not_a_replacing_order
  earning    approved            complete     not_a_replacing_order
  earning    approved            authorize    cannot_authorize
  earning    approved            capture      cannot_capture
  earning    approved            cancel       cannot_cancel
  earning    approved            refund_all   fully_refunded
  earning    approved            refund_part  partially_refunded
  earning    approved            auto_refund  cannot_refund
  earning    authorized          award        unexpected
  earning    authorized          pay          not_a_replacing_order
  earning    authorized          complete     not_a_replacing_order
  earning    authorized          authorize    cannot_authorize
  earning    authorized          capture      cannot_capture
  earning    authorized          cancel       cannot_cancel
  earning    authorized          refund_all   cannot_refund
  earning    authorized          refund_part  cannot_refund
  earning    authorized          auto_refund  cannot_refund
  earning    captured            award        unexpected
  earning    captured            pay          not_a_replacing_order
  earning    captured            complete     not_a_replacing_order
  earning    captured            authorize    cannot_authorize
  earning    captured            capture      cannot_capture
  earning    captured            cancel       cannot_cancel
  earning    captured            refund_all   cannot_refund
  earning    captured            refund_part  cannot_refund
  earning    captured            auto_refund  cannot_refund
  earning    cancelled           award        unexpected
  earning    cancelled           pay          not_a_replacing_order
  earning    cancelled           complete     not_a_replacing_order
  earning    cancelled           authorize    cannot_authorize
  earning    cancelled           capture      cannot_capture
  earning    cancelled           cancel       cannot_cancel
  earning    cancelled           refund_all   cannot_refund
  earning    cancelled           refund_part  cannot_refund
  earning    cancelled           auto_refund  cannot_refund
  earning    fully_refunded      award        unexpected
  earning    fully_refunded      pay          not_a_replacing_order
  earning    fully_refunded      complete     not_a_replacing_order
  earning    fully_refunded      authorize    cannot_authorize
  earning    fully_refunded      capture      cannot_capture
  earning    fully_refunded      cancel       cannot_cancel
  earning    fully_refunded      refund_all   cannot_refund
  earning    fully_refunded      refund_part  cannot_refund
  earning    fully_refunded      auto_refund  cannot_refund
  earning    partially_refunded  award        unexpected
  earning    partially_refunded  pay          not_a_replacing_order
  earning    partially_refunded  complete     not_a_replacing_order
  earning    partially_refunded  authorize    cannot_authorize
  earning    partially_refunded  capture      cannot_capture
  earning    partially_refunded  cancel       cannot_cancel
  earning    partially_refunded  refund_all   fully_refunded
  earning    partially_refunded  refund_part  partially_refunded
  earning    partially_refunded  auto_refund  cannot_refund
  replacing  new                 award        unexpected
  replacing  new                 pay          approved
  replacing  new                 complete     approved
  replacing  new                 authorize    authorized
  replacing  new                 capture      cannot_capture
  replacing  new                 cancel       cancelled
  replacing  new                 refund_all   cannot_refund
  replacing  new                 refund_part  cannot_refund
  replacing  new                 auto_refund  cannot_refund
  replacing  approved            award        unexpected
  replacing  approved            pay          order_already_paid
  replacing  approved            complete     order_already_paid
  replacing  approved            authorize    cannot_authorize
  replacing  approved            capture      cannot_capture
  replacing  approved            cancel       cannot_cancel
  replacing  approved            refund_all   fully_refunded
  replacing  approved            refund_part  partially_refunded
  replacing  approved            auto_refund  fully_refunded
  replacing  authorized          award        unexpected
  replacing  authorized          pay          cannot_complete
  replacing  authorized          complete     cannot_complete
  replacing  authorized          authorize    cannot_authorize
  replacing  authorized          capture      captured
  replacing  authorized          cancel       cancelled
  replacing  authorized          refund_all   cannot_refund
  replacing  authorized          refund_part  cannot_refund
  replacing  authorized          auto_refund  cannot_refund
  replacing  captured            award        unexpected
  replacing  captured            pay          order_already_paid
  replacing  captured            complete     order_already_paid
  replacing  captured            authorize    cannot_authorize
  replacing  captured            capture      cannot_capture
  replacing  captured            cancel       cannot_cancel
  replacing  captured            refund_all   fully_refunded
  replacing  captured            refund_part  partially_refunded
  replacing  captured            auto_refund  fully_refunded
  replacing  cancelled           award        unexpected
  replacing  cancelled           pay          cannot_complete
  replacing  cancelled           complete     cannot_complete
  replacing  cancelled           authorize    cannot_authorize
  replacing  cancelled           capture      cannot_capture
  replacing  cancelled           cancel       cannot_cancel
  replacing  cancelled           refund_all   cannot_refund
  replacing  cancelled           refund_part  cannot_refund
  replacing  cancelled           auto_refund  cannot_refund
  replacing  fully_refunded      award        unexpected
  replacing  fully_refunded      pay          cannot_complete
  replacing  fully_refunded      complete     cannot_complete
  replacing  fully_refunded      authorize    cannot_authorize
  replacing  fully_refunded      capture      cannot_capture
  replacing  fully_refunded      cancel       cannot_cancel
  replacing  fully_refunded      refund_all   cannot_refund
  replacing  fully_refunded      refund_part  cannot_refund
  replacing  fully_refunded      auto_refund  cannot_refund
  replacing  partially_refunded  award        unexpected
  replacing  partially_refunded  pay          cannot_complete
  replacing  partially_refunded  complete     cannot_complete
  replacing  partially_refunded  authorize    cannot_authorize
  replacing  partially_refunded  capture      cannot_capture
  replacing  partially_refunded  cancel       cannot_cancel
  replacing  partially_refunded  refund_all   fully_refunded
  replacing  partially_refunded  refund_part  partially_refunded
  replacing  partially_refunded  auto_refund  cannot_refund
`)

/** State, action, next state, points and events. docs/spec/orders.md#transitions */
const specification = rowsOf(`
  new                 complete     approved            settle         approved  completed
  new                 award        approved            earn           approved
  new                 authorize    authorized          keep_held      authorized
  authorized          capture      captured            settle         captured
  authorized          cancel       cancelled           release_held   cancelled
  new                 cancel       cancelled           release_held   cancelled
  captured            refund_all   fully_refunded      give_back      refunded
  captured            refund_part  partially_refunded  give_back      refunded
  partially_refunded  refund_all   fully_refunded      give_back      refunded
  approved            refund_all   fully_refunded      give_back      refunded
  approved            refund_part  partially_refunded  give_back      refunded
`)

/** Transitions outside the API. docs/spec/checkout.md#held-points, docs/spec/payments.md#automatic-reversal */
const decided = rowsOf(`
  new                 pay          approved            settle         approved
  partially_refunded  refund_part  partially_refunded  give_back      refunded
  approved            auto_refund  fully_refunded      give_back      auto_refunded
  captured            auto_refund  fully_refunded      give_back      auto_refunded
`)

const moves = orderStates.flatMap((from) =>
  Object.entries<Move>(orderTable[from]).map(([action, move]) => ({ from, action, ...move })),
)

test('every type, state and action has exactly one row', () => {
  const combinations = types.flatMap((type) =>
    orderStates.flatMap((state) => orderActions.map((action) => `${type} ${state} ${action}`)),
  )
  expect(decisions.map((row) => row.slice(0, 3).join(' ')).sort()).toEqual(combinations.sort())
})

test.each(decisions)('%s order, %s: %s gives %s', (type, state, action, expected) => {
  const decision = decideTransition(
    { type: oneOf(types, type), state: oneOf(orderStates, state) },
    oneOf(orderActions, action),
  )
  expect(decision.kind === 'transition' ? decision.to : decision.kind).toBe(expected)
})

test.each([...specification, ...decided])('%s, %s: leads to %s, points %s, fires %s %s', (...row) => {
  const [from, action, to, points, ...events] = row
  const found = moves.filter((move) => move.from === from && move.action === action)
  expect(found.map((move) => [move.to, move.points.replace(' ', '_'), ...move.events])).toEqual([
    [to, points, ...events],
  ])
})

test('no transition is possible that docs/spec does not name', () => {
  const named = [...specification, ...decided].map(([from, action]) => `${from} ${action}`)
  expect(moves.map(({ from, action }) => `${from} ${action}`).sort()).toEqual(named.sort())
})

test.each(types)('every state in which an %s order is stored can be reached, and no other', (type) => {
  const reached = new Set<OrderState>(['new'])
  for (const state of reached) {
    for (const move of moves) if (move.from === state && (move.by === type || move.by === 'both')) reached.add(move.to)
  }
  if (type === 'earning') reached.delete('new') // awarded in the transaction that creates it
  expect([...reached].sort()).toEqual([...storedStates[type]].sort())
})

test('an order leaves neither full refund nor cancellation', () => {
  expect(orderTable.fully_refunded).toEqual({})
  expect(orderTable.cancelled).toEqual({})
})

test('each action is allowed from the states of docs/spec/orders.md#move-rules', () => {
  const statesOf = (action: OrderAction) => orderStates.filter((state) => action in orderTable[state])
  expect(Object.fromEntries(orderActions.map((action) => [action, statesOf(action)]))).toEqual({
    award: ['new'],
    pay: ['new'],
    complete: ['new'],
    authorize: ['new'],
    capture: ['authorized'],
    cancel: ['new', 'authorized'],
    refund_all: ['approved', 'captured', 'partially_refunded'],
    refund_part: ['approved', 'captured', 'partially_refunded'],
    auto_refund: ['approved', 'captured'],
  })
})

test('a transition has its origin and its effects', () => {
  expect(decideTransition({ type: 'replacing', state: 'new' }, 'complete')).toEqual({
    kind: 'transition',
    from: 'new',
    action: 'complete',
    by: 'replacing',
    to: 'approved',
    points: 'settle',
    events: ['approved', 'completed'],
  })
})

function oneOf<Name extends string>(names: readonly Name[], name: string | undefined): Name {
  const found = names.find((candidate) => candidate === name)
  if (found === undefined) throw new Error(`no such name: ${name}`)
  return found
}
