import { describe, expect, it } from 'vitest'
import { type AbandonedFacts, decideAbandoned } from '../../src/domain/abandoned.ts'

const nothing: AbandonedFacts = { held: false, payments: [], failed_lately: false, tasks: [] }

describe('an abandoned checkout', () => {
  it.each<[AbandonedFacts, ReturnType<typeof decideAbandoned>]>([
    [nothing, 'delete'],
    [{ ...nothing, payments: ['failed'] }, 'delete'],
    [{ ...nothing, payments: ['failed'], tasks: ['done'] }, 'delete'],
    // Something is under way.
    [{ ...nothing, payments: ['failed'], failed_lately: true }, 'wait'],
    [{ ...nothing, payments: ['failed', 'created'] }, 'wait'],
    [{ ...nothing, payments: ['failed'], tasks: ['due'] }, 'wait'],
    // The ledger, a provider or a person refers to it.
    [{ ...nothing, held: true }, 'keep'],
    [{ ...nothing, payments: ['failed'], tasks: ['due', 'refused'] }, 'keep'],
    [{ ...nothing, payments: ['created', 'returned'] }, 'keep'],
    [{ ...nothing, payments: ['surplus'], tasks: ['due'] }, 'keep'],
    [{ ...nothing, payments: ['voided'] }, 'keep'],
  ])('with %j: %s', (facts, decided) => {
    expect(decideAbandoned(facts)).toBe(decided)
  })
})
