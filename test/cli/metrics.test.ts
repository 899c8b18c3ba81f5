import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../support/port.ts'
import { readTree } from '../support/tree.ts'
import { waitFor } from '../support/wait.ts'
import { earn, runningService, serveHere } from './command.ts'

// The metrics of a running service equal docs/metrics.md, and include all that the alert rules and the dashboard use.

const port = await freePort()
const service = runningService({ env: { NUQTA_METRICS_PORT: String(port) } })

function ask(path: string, at = port): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: at, path, agent: false }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
    }).once('error', reject)
  })
}

/** The metrics of a text, with their types. */
const typesIn = (body: string) =>
  new Map([...body.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]))

const [guide] = readTree('docs/metrics.md')
const listed = new Map(
  [...(guide?.text ?? '').matchAll(/^\| `(nuqta_\w+)` \| (\w+) \|/gm)].map(([, name = '', type = '']) => [name, type]),
)

describe('the list of metrics', () => {
  test('equals the output of a service, with types', async () => {
    const { body } = await ask('/metrics')
    const printed = [...typesIn(body)].filter(([name]) => name.startsWith('nuqta_'))
    expect(printed.sort()).toEqual([...listed].sort())
    expect(body).toMatch(
      /^nuqta_build_info\{version="\d+\.\d+\.\d+",node="\d+[^"]*",environment="sandbox",role="all"\} 1$/m,
    )
  })

  test.each(['docs/operations/alerts.yml', 'docs/operations/grafana.json'])('has every metric of %s', async (path) => {
    const [file] = readTree(path)
    const printed = typesIn((await ask('/metrics')).body)
    const series = [...printed].flatMap(([name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    )
    const used = [...new Set(file?.text.match(/\b(nuqta|nodejs|process)_\w+/g) ?? [])]
    expect(used.filter((name) => !series.includes(name))).toEqual([])
    expect(used.length).toBeGreaterThan(8)
  })

  test('is completely on the dashboard', () => {
    const [file] = readTree('docs/operations/grafana.json')
    expect([...listed.keys()].filter((name) => file?.text.includes(name) !== true)).toEqual([])
  })
})

test('points and orders are counted as they are committed', async () => {
  const value = async (series: string) =>
    Number(
      (await ask('/metrics')).body
        .split('\n')
        .find((line) => line.startsWith(series))
        ?.split(' ')[1],
    )
  expect(await value('nuqta_points_total{kind="issued"}')).toBe(0)
  expect((await earn(service.client())).status).toBe(200)
  expect(await value('nuqta_points_total{kind="issued"}')).toBe(100)
  expect(await value('nuqta_orders_total{kind="purchase"}')).toBe(1)
  expect(await value('nuqta_orders_total{kind="checkout"}')).toBe(0)
  expect(await value('nuqta_db_connections ')).toBeGreaterThan(0)
})

test('a worker answers /healthz and /readyz where its metrics are', async () => {
  const at = await freePort()
  const env = { ...service.env, NUQTA_ROLE: 'worker', NUQTA_METRICS_PORT: String(at) }
  const worker = await serveHere({ cwd: service.cwd, env })
  onTestFinished(() => worker.stop())
  expect(await ask('/healthz', at)).toEqual({ status: 200, body: 'healthy\n' })
  await waitFor('readiness', async () => (await ask('/readyz', at)).status === 200)
  const printed = typesIn((await ask('/metrics', at)).body)
  expect(printed.has('nuqta_webhook_queue_depth')).toBe(true)
})
