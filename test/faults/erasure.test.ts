import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { doErasures } from '../../src/features/erasure/job.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { secrets } from '../support/deliveries.ts'
import { namedByCheckout } from '../support/delivery-under-way.ts'
import { waitFor } from '../support/wait.ts'

const database = testDatabase({ leaves: ['due messages'] })
const stage = checkoutStage(database)
const run = <Row>(text: string) => database.owner.run<Row>({ text, values: [] })

test('an erasure that is killed while it waits for a delivery is ended by a worker, also for orders without a customer', async () => {
  const { program_id } = stage.shop.merchant
  // The erasure empties the checkout.
  const { phone, answer, answers } = await namedByCheckout(database.owner, stage)

  const script = fileURLToPath(new URL('eraser.ts', import.meta.url))
  const args = [script, database.owner_url, String(program_id), phone]
  const eraser = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = once(eraser, 'exit')
  onTestFinished(() => void eraser.kill('SIGKILL'))
  const waiting = `select from erasure_request where state = 'due' and attempts = 1`
  await waitFor('the erasure to wait', async () => (await run(waiting)).length === 1)
  eraser.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])

  await answer({ phone })
  await run(`update erasure_request set due_at = now() - interval '1 s'`)
  const warned: unknown[] = []
  await doErasures({ owner: database.owner, secrets, log: { warn: (about: object) => void warned.push(about) } })
  expect(warned).toEqual([])
  expect(await answers()).toEqual([{ status: 200, response: null }])
  expect(await run('select state, orders from erasure_request')).toEqual([{ state: 'done', orders: null }])
})
