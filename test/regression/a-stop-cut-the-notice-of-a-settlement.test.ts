import { once } from 'node:events'
import { expect, it } from 'vitest'
import { Disposer } from '../../src/lib/disposer.ts'
import { startWorkerLoop } from '../../src/lib/worker-loop.ts'
import { scratch } from '../cli/command.ts'
import { startService } from '../journeys/service.ts'
import { testDatabase } from '../support/database.ts'
import { testReceiver } from '../support/receiver.ts'
import { waitFor } from '../support/wait.ts'

// The background work was stopped one loop after the other. The first closed the connections of the next, so a notice under way
// was cut, and counted as failed; those that waited for their turn began more work, and together took longer than a stop may.

const database = testDatabase()
const { path: home } = scratch()

it('a notice under way is answered before the service ends', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const receiver = await testReceiver({
    async answer(response) {
      void once(response, 'close').then(() => answer())
      await answered
      response.end()
    },
  })
  const service = await startService({ home, database })
  await service.command(['program', 'webhook', 'Default', '--url', receiver.url, '--yes'])
  await service.command(['program', 'webhook', 'Default', '--test', '--yes'])
  await receiver.waitFor(1)
  const ended = service.end('SIGTERM')
  await waitFor('the API to be closed', async () => {
    const reply = await fetch(`https://127.0.0.1:${service.port}/`).catch((error: unknown) => error)
    return reply instanceof Error && String(reply.cause).includes('ECONNREFUSED')
  })
  answer()
  expect(await ended).toBe(0)
  const text = 'select state, attempts, error from settlement_notice'
  expect(await database.owner.run({ text, values: [] })).toEqual([{ state: 'delivered', attempts: 1, error: null }])
})

it('all loops hear of a stop at once, before what they use is closed', async () => {
  const disposer = new Disposer()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const [began, heard]: [string[], string[]] = [[], []]
  const order: string[] = []
  disposer.add(() => void order.push('what they use is closed'))
  const loops: (() => Promise<void>)[] = []
  disposer.addTogether(loops)
  for (const [name, { promise }] of Object.entries({ first, second }))
    loops.push(
      startWorkerLoop({
        pause_ms: 1,
        async work(stopping) {
          began.push(name)
          stopping.addEventListener('abort', () => heard.push(name))
          await promise
          order.push(name)
        },
      }),
    )
  await waitFor('both to work', () => began.length === 2)
  const closed = disposer.close()
  first.resolve()
  await waitFor('both to hear of it', () => heard.length === 2)
  second.resolve()
  await closed
  expect([heard, order]).toEqual([
    ['first', 'second'],
    ['first', 'second', 'what they use is closed'],
  ])
})
