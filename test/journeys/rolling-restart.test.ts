import { Agent, request } from 'node:https'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { type Backend, type Balancer, startBalancer } from '../../src/bench/balancer.ts'
import { scratch } from '../cli/command.ts'
import { purchase } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { restOfClient, waitFor } from '../support/wait.ts'
import { earning_path, type MadeMerchant, type Service, startService } from './service.ts'

const database = testDatabase()
const { path: home } = scratch()
const clients = 4

interface Load {
  /** Requests answered with 200 so far. */
  readonly answered: number
  /** Failures, a line each. */
  readonly failures: string[]
  stop(): Promise<void>
}

/** Clients that keep their connections, pause now and then, and never retry. Each is another merchant. */
function startLoad(port: number, ca: readonly string[], merchants: readonly MadeMerchant[]): Load {
  const failures: string[] = []
  let [count, over] = [0, false]

  async function work({ private_key }: MadeMerchant): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: [...ca], servername: 'localhost' })
    while (!over) {
      const sent = request({
        ...{ agent, port, host: '127.0.0.1', method: 'POST', path: earning_path },
        headers: { host: 'localhost', 'x-api-key': private_key, 'content-type': 'application/json' },
      })
      const answer = new Promise<string>((resolve, reject) => {
        sent.on('error', reject)
        sent.on('response', (response) =>
          text(response).then((body) => resolve(`${response.statusCode} ${body}`), reject),
        )
      })
      sent.end(JSON.stringify(purchase()))
      const said = await answer.catch(String)
      if (said.startsWith('200 ')) count += 1
      else failures.push(said)
      // A careless stop breaks idle connections.
      await restOfClient(80)
    }
    agent.destroy()
  }

  const working = merchants.map(work)
  return {
    failures,
    get answered() {
      return count
    },
    async stop() {
      over = true
      await Promise.all(working)
    },
  }
}

test('no request fails while two processes behind a balancer are restarted, one after the other', async () => {
  // Longer than a balancer that asks every 100 ms needs, also on a busy machine.
  const start = (name: string) => startService({ home, name, database, env: { NUQTA_DRAIN_S: '3' } })
  const [left, right] = [await start('left'), await start('right')]
  const services = new Map([
    ['left', left],
    ['right', right],
  ])
  const backends = new Map<string, Backend>(services)
  const authorities = Array.from(services.values(), ({ ca }) => ca)
  const merchants = await makeMerchants(left)
  const balancer: Balancer = await startBalancer([...backends.values()])
  onTestFinished(() => balancer.close())
  await waitFor('both to be ready', () => balancer.ready().length === 2)
  const load = startLoad(balancer.port, authorities, merchants)

  for (const [name, old] of services) {
    await more(load)
    expect(await old.end('SIGTERM')).toBe(0)
    await more(load)
    expect(load.failures).toEqual([])
    const fresh = await start(name)
    balancer.replace(backends.get(name) ?? old, fresh)
    backends.set(name, fresh)
    services.set(name, fresh)
    await waitFor('both to be ready', () => balancer.ready().length === 2)
  }
  await more(load)
  await load.stop()
  expect(load.failures).toEqual([])
  const ended = Array.from(services.values(), (service) => service.end('SIGTERM'))
  expect(await Promise.all(ended)).toEqual([0, 0])
})

async function more(load: Load): Promise<void> {
  const before = load.answered
  await waitFor('answers', () => load.answered > before + 3 * clients)
}

async function makeMerchants(service: Service): Promise<MadeMerchant[]> {
  const flags = ['--verified', '--published', '--count', String(clients), '--json']
  const made = await service.command(['merchant', 'create', '--name', 'Client', ...flags])
  if (made.json.length !== clients) throw new Error(`no merchants were made: ${made.stderr}`)
  return made.json as unknown as MadeMerchant[]
}
