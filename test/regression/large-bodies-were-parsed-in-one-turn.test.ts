import { expect, it } from 'vitest'
import { createTurns } from '../../src/http/transport/body.ts'

// 60 clients with 63 kB each blocked the event loop for 139 ms: one turn parsed all their bodies.

it('others run between two large bodies', async () => {
  const turns = createTurns()
  const ran: string[] = []
  const done = Promise.withResolvers<void>()
  const other = (n: number): void => {
    ran.push(`other ${n}`)
    if (n < 4) setImmediate(other, n + 1)
    else done.resolve()
  }
  for (const body of ['a', 'b', 'c']) turns(() => ran.push(body))
  setImmediate(other, 1)
  await done.promise
  expect(ran).toEqual(['a', 'other 1', 'b', 'other 2', 'c', 'other 3', 'other 4'])
})

it('a body that comes later is parsed too', async () => {
  const turns = createTurns()
  const ran: string[] = []
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  turns(() => ran.push('a'))
  await turn()
  turns(() => {
    turns(() => ran.push('c'))
    ran.push('b')
  })
  await turn()
  await turn()
  expect(ran).toEqual(['a', 'b', 'c'])
})
