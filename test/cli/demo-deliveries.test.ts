import { describe, expect, it } from 'vitest'
import { waitFor } from '../support/wait.ts'
import { nuqta, runningService } from './command.ts'

// Deliveries of a sample year are real: the workers of the service beside send them to the sandbox itself.

const service = runningService({
  env: { NUQTA_WEBHOOK_RETRY_DELAYS_S: '1' },
  leaves: ['open holds', 'due deliveries', 'due messages', 'due payment tasks'],
})

/** Commands find the service at its port. */
function run(...args: string[]) {
  const { port } = new URL(service.client().NUQTA_BASE_URL)
  return nuqta([...args, '--json'], { cwd: service.cwd, env: { ...service.env, NUQTA_PORT: port } })
}

describe('the webhooks of a sample year', () => {
  it('lead to the sandbox itself, whose receiver takes the deliveries', async () => {
    expect(await run('demo', '--orders', '300', '--months', '2')).toMatchObject({ code: 0 })
    const { json: webhooks } = await run('webhooks', 'list', '--merchant', 'Barq Electronics')
    const url = `${new URL(service.client().NUQTA_BASE_URL).origin}/demo/receiver`
    expect(webhooks).toEqual([expect.objectContaining({ name: 'Orders to the warehouse', url })])
    expect((await run('webhooks', 'list')).json).toHaveLength(1)
    const due = async () => (await run('deliveries', 'list', '--state', 'due')).json
    await waitFor('the deliveries', async () => (await due()).length === 0)
    const { json: delivered } = await run('deliveries', 'list', '--state', 'delivered', '--limit', '200')
    expect(delivered.map(({ event }) => event)).toContain('test')
    for (const { attempts } of delivered)
      expect((attempts as { status: number }[]).at(-1)).toMatchObject({ status: 200, response: '{"received":true}\n' })
  })
})
