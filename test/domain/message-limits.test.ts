import { describe, expect, it } from 'vitest'
import { budgetLevel, type Limit, messageLimits, programPart, standard_bounds } from '../../src/domain/limit.ts'

const numbers = messageLimits(standard_bounds)
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const rulesOf = ({ rules }: Limit) => rules.map(({ most, within_ms }) => [most, within_ms])

describe('the limits of a deployment', () => {
  it.each([
    [
      'codes to a phone',
      numbers.codes.phone,
      [
        [5, hour],
        [10, day],
      ],
    ],
    [
      'of which in unknown browsers',
      numbers.codes.phone_strangers,
      [
        [3, hour],
        [8, day],
      ],
    ],
    ['codes from an address', numbers.codes.address, [[100, hour]]],
    ['codes from an IPv6 /48', numbers.codes.site, [[400, hour]]],
    [
      'wrong codes for a phone',
      numbers.tries.phone,
      [
        [15, hour],
        [30, day],
      ],
    ],
    [
      'of which from unknown browsers',
      numbers.tries.phone_strangers,
      [
        [10, hour],
        [25, day],
      ],
    ],
    ['messages', numbers.messages, [[2_000, hour]]],
    ['codes in unknown browsers', numbers.codes.strangers, [[1_000, hour]]],
    ['of one program while others wait', programPart(numbers.codes.strangers, true), [[500, hour]]],
    ['of one program else', programPart(numbers.codes.strangers, false), [[1_000, hour]]],
    ['invitations', numbers.invitations.all, [[500, hour]]],
    ['those of one program while others wait', programPart(numbers.invitations.all, true), [[250, hour]]],
    ['those of a merchant in a minute', numbers.invitations.merchant_minute, [[60, minute]]],
    ['those of a merchant in an hour', numbers.invitations.merchant_hour, [[1_000, hour]]],
    ['those to a phone', numbers.invitations.phone, [[1, day]]],
  ])('%s', (_, limit, rules) => {
    expect(rulesOf(limit)).toEqual(rules)
  })

  it('are at least 1, however small the budget', () => {
    const small = messageLimits({ ...standard_bounds, messages_per_hour: 1, codes_per_phone_hour: 1 })
    for (const limit of [small.codes.strangers, small.invitations.all, programPart(small.codes.strangers, true)])
      expect(rulesOf(limit)).toEqual([[1, hour]])
    expect(rulesOf(small.codes.phone_strangers)).toEqual([
      [1, hour],
      [8, day],
    ])
  })

  it('have unique names, because their counters are stored by name', () => {
    const all = [
      ...Object.values(numbers.codes),
      ...Object.values(numbers.tries),
      ...Object.values(numbers.invitations),
    ]
    const parts = [programPart(numbers.codes.strangers, true), programPart(numbers.invitations.all, false)]
    const names = [...all, ...parts, numbers.messages].map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})

it('the budget is reported at half and at nine tenths', () => {
  expect([999, 1_000, 1_799, 1_800, 2_000].map((used) => budgetLevel(used, 2_000))).toEqual([
    null,
    'half',
    'half',
    'nine tenths',
    'nine tenths',
  ])
})
