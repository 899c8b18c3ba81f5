import { expect, it } from 'vitest'
import { medianOfLog } from '../../src/bench/reference.ts'

it('takes the median of the times of calls from a log of pgbench, in milliseconds', () => {
  const log = ['0 1 812 0 1732783045 12', '0 2 90000 0 1732783045 990', '0 3 794 0 1732783046 10', '']
  expect(medianOfLog(log.join('\n'))).toBe(0.812)
})
