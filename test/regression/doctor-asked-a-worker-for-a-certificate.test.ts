import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { nuqta, runningService } from '../cli/command.ts'
import { root } from '../support/tree.ts'

// What went wrong: `docker compose exec worker nuqta doctor`, and the same in Kubernetes, as docs/production.md has them,
// asked for a certificate, which a worker does not need and these files do not give it. The role was among the arguments of
// `serve` alone.

const service = runningService()
const read = (path: string): string => readFileSync(root + path, 'utf8')

interface Compose {
  readonly services: Record<string, { readonly environment: Record<string, string> }>
}

interface Manifest {
  readonly kind: string
  readonly data?: Record<string, string>
  readonly spec: { template: { spec: { containers: [{ env: { readonly name: string; readonly value: string }[] }] } } }
}

function ofCompose(): Record<string, string | undefined> {
  const { services } = parse(read('compose.yaml'), { merge: true }) as Compose
  return { ...parseEnv(read('deploy/compose/nuqta.env.example')), ...services['worker']?.environment }
}

function ofKubernetes(): Record<string, string> {
  const [worker, settings] = ['worker', 'settings'].map((name) =>
    parseAllDocuments(read(`deploy/kubernetes/${name}.yaml`))
      .map((document) => document.toJS() as Manifest)
      .find(({ kind }) => kind === 'Deployment' || kind === 'ConfigMap'),
  )
  const own = worker?.spec.template.spec.containers[0].env.map(({ name, value }) => [name, value]) ?? []
  return { ...settings?.data, ...Object.fromEntries(own) }
}

test.each([
  ['compose.yaml', ofCompose],
  ['deploy/kubernetes/worker.yaml', ofKubernetes],
])('the settings of the worker in %s are enough for the doctor', async (_file, settings) => {
  // The secrets of this machine stand in for the files, which only a container has.
  const given = Object.entries(settings()).filter(([name]) => !name.endsWith('_FILE'))
  const secrets = { ...service.env, NUQTA_SMS_KEY: 'key' }
  const env = { NUQTA_ENVIRONMENT: 'production', ...(Object.fromEntries(given) as Record<string, string>), ...secrets }
  const { json } = await nuqta(['doctor', '--json'], { cwd: service.cwd, env })
  const findings = json.filter(({ check }) => check === 'settings' || check === 'certificate')
  expect(findings).toEqual([
    { check: 'settings', ok: true, detail: 'a production' },
    { check: 'certificate', ok: true, detail: 'a worker needs none' },
  ])
})

// The unit of systemd has its role among the arguments as well, and its user may not listen on 443.
test('with --role the doctor checks only that role', async () => {
  const production = { NUQTA_ENVIRONMENT: 'production', NUQTA_PUBLIC_URL: 'https://points.example.com' }
  const sms = { NUQTA_SMS: 'taqnyat', NUQTA_SMS_KEY: 'key', NUQTA_SMS_SENDER: 'Nuqta' }
  const env = { ...service.env, ...production, ...sms }
  const of = async (...args: string[]) => {
    const { json } = await nuqta(['doctor', '--json', ...args], { cwd: service.cwd, env })
    return json.filter(({ check }) => ['settings', 'port', 'certificate'].includes(String(check)))
  }
  expect(await of('--role', 'worker')).toEqual([
    { check: 'settings', ok: true, detail: 'a production' },
    { check: 'port', ok: true, detail: 'a worker needs none' },
    { check: 'certificate', ok: true, detail: 'a worker needs none' },
  ])
  expect(await of('--role', 'api')).toEqual([
    expect.objectContaining({ check: 'settings', ok: false }),
    expect.objectContaining({ check: 'port' }),
    expect.objectContaining({ check: 'certificate', ok: false }),
  ])
})
