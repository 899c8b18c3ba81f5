import { describe, expect, it } from 'vitest'
import {
  currentSecret,
  firstSecret,
  maskedSecret,
  nextSecretFrom,
  replaceSecret,
} from '../../src/domain/webhook-secret.ts'

const made = (text: string) => ({ secret: Buffer.from(text), secret_last4: text.slice(-4) })
const at = (minute: number) => new Date(Date.UTC(2026, 0, 31, 9, minute))
const [first, second, third] = [made('the first'), made('the second'), made('the third')]

describe('a replaced secret', () => {
  const planned = replaceSecret(firstSecret(first), second, at(10), at(0))

  it('is carried until the time of the planned one, and no longer', () => {
    expect([9, 10].map((minute) => currentSecret(planned, at(minute)))).toEqual([first, second])
    expect([9, 10].map((minute) => maskedSecret(planned, at(minute)))).toEqual(['****irst', '****cond'])
    expect([9, 10].map((minute) => nextSecretFrom(planned, at(minute)))).toEqual([at(10), null])
  })

  it.each([
    ['at once', at(5)],
    ['at a time that has passed', at(1)],
  ])('gives way %s, with what was planned', (_, from) => {
    expect(replaceSecret(planned, third, from, at(5))).toEqual(firstSecret(third))
  })

  it('is the one that is carried when another is planned', () => {
    expect(currentSecret(replaceSecret(planned, third, at(30), at(20)), at(29))).toEqual(second)
    expect(currentSecret(replaceSecret(planned, third, at(30), at(5)), at(15))).toEqual(first)
  })
})
