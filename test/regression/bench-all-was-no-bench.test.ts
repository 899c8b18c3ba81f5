import { expect, it } from 'vitest'
import { benchesOf } from '../../src/cli/bench.ts'

// `nuqta bench all` is one of the names that operators rely on, and there was no such bench.
it('all stands for earnings, webhooks and growth, one after the other', () => {
  const all = benchesOf('all')
  expect(all.map(([name]) => name)).toEqual(['earning', 'webhooks', 'grow'])
  expect(all).toEqual(['earning', 'webhooks', 'grow'].flatMap(benchesOf))
  expect(() => benchesOf('everything')).toThrow('There is no bench called everything: choose')
})
