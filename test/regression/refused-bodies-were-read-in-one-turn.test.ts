import { once } from 'node:events'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { createDiscard } from '../../src/http/transport/body.ts'

// 20 clients that sent a megabyte each, all of it refused, kept the event loop for 75 ms: Node.js read it as fast as it came.

it('one chunk of all refused bodies is read in each turn of the event loop', async () => {
  const chunks = 5
  const bodies = ['a', 'b', 'c'].map((text) => Readable.from(Array<string>(chunks).fill(text)))
  const discard = createDiscard()
  let read = 0
  let most_in_a_turn = 0
  let before = 0
  for (const body of bodies) {
    discard(body)
    body.on('data', () => {
      read += 1
    })
  }
  const ended = Promise.all(bodies.map((body) => once(body, 'end')))
  // The first chunk of each body came with its headers.
  await once(bodies[2] ?? Readable.from([]), 'data')
  before = read
  const sample = (): void => {
    most_in_a_turn = Math.max(most_in_a_turn, read - before)
    before = read
    if (read < chunks * bodies.length) setImmediate(sample)
  }
  setImmediate(sample)
  await ended
  expect(read).toBe(chunks * bodies.length)
  expect(most_in_a_turn).toBe(1)
})
