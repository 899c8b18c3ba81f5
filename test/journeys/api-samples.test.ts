import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildOpenApi } from '../../src/http/api/openapi.ts'
import { type ApiDescription, type Endpoint, endpointsByTag } from '../../src/pages/docs/description.ts'
import { type Sample, samplesOf } from '../../src/pages/docs/samples.ts'
import { routes } from '../../src/routes.ts'
import { call, runningService } from '../cli/command.ts'

// Integrators copy the samples of the API reference: run each one unchanged against the service over HTTPS.

const description = buildOpenApi(routes) as ApiDescription
const endpoints = endpointsByTag(description).flatMap((group) => group.endpoints)

interface Interpreter {
  readonly command: string
  /** Succeeds where the samples can run. */
  readonly probe: readonly string[]
  readonly file: string
}

const interpreters: Readonly<Record<Sample['language'], Interpreter>> = {
  curl: { command: 'bash', probe: ['-c', 'curl --version'], file: 'sample.sh' },
  TypeScript: { command: process.execPath, probe: ['--version'], file: 'sample.ts' },
  PHP: { command: 'php', probe: ['-r', 'exit(function_exists("curl_init") ? 0 : 1);'], file: 'sample.php' },
  Python: { command: 'python3', probe: ['-c', 'import ssl'], file: 'sample.py' },
}

interface Keys {
  readonly public_key: string
  readonly private_key: string
}

type Json = Readonly<Record<string, unknown>>

const service = runningService()
const merchants: Keys[] = []

beforeAll(async () => {
  const count = String(endpoints.length * 4)
  const made = await service.run(
    'merchant',
    'create',
    '--name',
    'Shop',
    '--count',
    count,
    '--verified',
    '--published',
    '--json',
  )
  merchants.push(...(made.json as unknown as Keys[]))
})

function exampleOf(method: string, path: string): object | undefined {
  const found = endpoints.find((one) => one.method === method && one.path === path)
  return found?.operation.requestBody?.content['application/json'].example as object | undefined
}

async function make(path: string, { public_key, private_key }: Keys, uuid = ''): Promise<Json> {
  const at = `/api${path.replace('{publicKey}', public_key).replace('{orderUuid}', uuid)}`
  const { status, body } = await call(service.client(), {
    path: at,
    key: private_key,
    body: exampleOf('POST', path) ?? {},
  })
  expect([status, body.message]).toEqual([200, ''])
  return body.data ?? {}
}

/** Prepares the object of the path. Gives the variables that name it. */
async function subjectOf({ path }: Endpoint, keys: Keys): Promise<Record<string, string>> {
  if (path.includes('{uuid}')) return { WEBHOOK_UUID: String((await make('/v1/webhooks', keys))['uuid']) }
  if (!path.includes('{orderUuid}')) return {}
  if (!/\/(authorize|capture|complete|cancel)$/.test(path))
    return { ORDER_UUID: String((await make('/v1/orders/earning', keys))['uuid']) }
  const uuid = String((await make('/v1/orders/checkout/{publicKey}', keys))['order_uuid'])
  if (path.endsWith('/capture')) await make('/v1/orders/{orderUuid}/authorize', keys, uuid)
  return { ORDER_UUID: uuid }
}

const run = promisify(execFile)

/** Gives the `data` that the sample prints; curl prints the whole answer. */
async function printedBy({ language, code }: Sample, env: Readonly<Record<string, string>>): Promise<unknown> {
  const { command, file } = interpreters[language]
  const path = join(service.cwd, file)
  writeFileSync(path, `${code}\n`)
  const { PATH, HOME } = process.env
  const { stdout } = await run(command, [path], { env: { PATH, HOME, ...env } })
  const printed = JSON.parse(stdout) as Json
  return language === 'curl' ? printed['data'] : printed
}

/** The field names of an answer, by which tests compare answers. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return 'list'
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
    ? Object.keys(value).sort()
    : 'empty'
}

for (const [at, language] of (['curl', 'TypeScript', 'PHP', 'Python'] as const).entries())
  describe(`the sample in ${language}`, () => {
    const { command, probe } = interpreters[language]
    const isThere = spawnSync(command, probe).status === 0
    for (const [index, endpoint] of endpoints.entries())
      it(`of ${endpoint.method} ${endpoint.path} does what it says`, async ({ skip }) => {
        skip(!isThere, `${language === 'PHP' ? 'php with its curl extension' : command} is not installed`)
        const keys = merchants[index * 4 + at] ?? { public_key: '', private_key: '' }
        const sample = samplesOf(endpoint).find((one) => one.language === language)
        if (sample === undefined) throw new Error('there is none')
        const { NUQTA_BASE_URL, NUQTA_CA } = service.client()
        const printed = await printedBy(sample, {
          NUQTA_BASE_URL,
          NUQTA_CA,
          NODE_EXTRA_CA_CERTS: NUQTA_CA,
          NUQTA_PRIVATE_KEY: keys.private_key,
          NUQTA_PUBLIC_KEY: keys.public_key,
          ...(await subjectOf(endpoint, keys)),
        })
        const { example } = endpoint.operation.responses['200']?.content['application/json'] ?? {}
        expect(shapeOf(printed)).toEqual(shapeOf((example as Json)['data']))
      })
  })
