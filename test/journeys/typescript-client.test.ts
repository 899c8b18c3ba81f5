import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningService } from '../cli/command.ts'
import { root } from '../support/tree.ts'

// Integrators copy the client of docs/typescript.md: it compiles in a project of theirs, and earns once however the network fails.

// A repeated order number is then refused at once.
const service = runningService({ env: { NUQTA_LOCK_WINDOW_S: '0' } })
const sample = /^```ts\n([\s\S]*?)^```/m.exec(readFileSync(`${root}docs/typescript.md`, 'utf8'))?.[1] ?? ''
const run = promisify(execFile)

const compilerOptions = {
  ...{ target: 'es2024', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true, noEmit: true },
  ...{ noUncheckedIndexedAccess: true, noPropertyAccessFromIndexSignature: true, verbatimModuleSyntax: true },
  ...{ erasableSyntaxOnly: true, allowImportingTsExtensions: true, skipLibCheck: true, types: ['node'] },
}

/** A project of an integrator, with the packages that the guide installs. */
beforeAll(() => {
  const modules = join(service.cwd, 'node_modules')
  mkdirSync(modules)
  symlinkSync(root, join(modules, 'nuqta'))
  for (const name of ['openapi-fetch', '@types']) symlinkSync(`${root}node_modules/${name}`, join(modules, name))
  writeFileSync(join(service.cwd, 'package.json'), JSON.stringify({ type: 'module' }))
  writeFileSync(join(service.cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  writeFileSync(join(service.cwd, 'client.ts'), sample)
  for (const name of ['api.d.ts', 'openapi.d.ts']) cpSync(`${root}types/${name}`, join(service.cwd, name))
})

/** What happens to a request on its way. */
type Fate = 'lost' | 'busy' | 'page' | 'cut'
const fates: Fate[] = []
const keys: unknown[] = []

/** A network between client and service, which fails as `fates` says, and then works. */
const network = createServer((incoming, response) => {
  keys.push(incoming.headers['idempotency-key'])
  const fate = fates.shift()
  if (fate === 'busy') return end(response, 429, '{"status":false,"message":"","appended_data":{}}')
  if (fate === 'page') return end(response, 502, '<h1>Bad gateway</h1>')
  const { NUQTA_BASE_URL, NUQTA_CA } = service.client()
  const { method, url = '', headers } = incoming
  const onward = request(NUQTA_BASE_URL + url, { method, headers, ca: readFileSync(NUQTA_CA), agent: false })
  onward.once('response', (answer) => {
    void buffer(answer).then((body) => {
      if (fate === 'lost') return response.destroy()
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      if (fate === 'cut') return response.write(body.subarray(0, 10), () => response.destroy())
      return response.end(body)
    })
  })
  return incoming.pipe(onward)
})
beforeAll(() => once(network.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => void network.close())

function end(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0.01' }).end(body)
}

const products = [{ product_name: 'Tea', product_price: 10, quantity: 1 }]
const purchase = { phone_number: '0533333333', total_price: 10, products, order_number: '1001' }

type Outcome = { readonly earned: string | null } | { readonly status: number; readonly errors: object }

/** Calls `earn` in a process of its own, over a network that fails so. */
async function earn(body: object, key: string, ...on_the_way: Fate[]): Promise<Outcome> {
  fates.splice(0, fates.length, ...on_the_way)
  keys.length = 0
  const args = [body, key].map((value) => JSON.stringify(value)).join(', ')
  const code = `import { earn } from './client.ts'
    const tell = (outcome) => console.log(JSON.stringify(outcome))
    await earn(${args}).then((earned) => tell({ earned }), ({ message, status, errors }) => tell({ message, status, errors }))`
  writeFileSync(join(service.cwd, 'main.mjs'), code)
  const { port } = network.address() as AddressInfo
  const { NUQTA_PRIVATE_KEY } = service.client()
  const env = { ...process.env, NUQTA_BASE_URL: `http://127.0.0.1:${port}`, NUQTA_PRIVATE_KEY }
  const { stdout } = await run(process.execPath, ['main.mjs'], { cwd: service.cwd, env })
  return JSON.parse(stdout) as Outcome
}

describe('the client of the guide', () => {
  it('compiles with strict settings, and refuses what the service would', async () => {
    const text = JSON.stringify(purchase)
    const uses = [
      "import { earn } from './client.ts'",
      `export const earned: Promise<string | null> = earn(${text}, 'key')`,
      `export const amount_as_text = earn({ ...${text}, total_price: '10' }, 'key')`,
      // From the copied files.
      "export const status: import('./api.js').Data<'getOrdersOrderUuid'>['order_status'] = 'sent'",
      `export const without_products = earn({ phone_number: '0533333333', total_price: 10, order_number: '1' }, 'key')`,
    ]
    writeFileSync(join(service.cwd, 'uses.ts'), uses.join('\n'))
    const refused = run(`${root}node_modules/.bin/tsc`, ['-p', service.cwd]).catch(
      ({ stdout }: { stdout: string }) => stdout,
    )
    const places = [...String(await refused).matchAll(/(\w+\.ts)\((\d+),\d+\): error/g)].map(
      ([, file, line]) => `${file}:${line}`,
    )
    expect(places, String(await refused)).toEqual(['uses.ts:3', 'uses.ts:4', 'uses.ts:5'])
  })

  it('awards the points of a purchase once, however the network fails, and knows its order', async () => {
    const key = randomUUID()
    const outcome = await earn(purchase, key, 'lost', 'cut', 'busy', 'page')
    expect(outcome).toEqual({ earned: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(keys).toEqual(Array.from({ length: 5 }, () => key))
    expect(await earn(purchase, randomUUID())).toEqual(outcome)
    const { json } = await service.run('wallet', 'show', purchase.phone_number, '--json')
    expect(json).toMatchObject([{ posted: 100 }])
  })

  it('tells of points that wait', async () => {
    const waiting = { ...purchase, phone_number: '0500000003', order_number: '1002' }
    expect(await earn(waiting, randomUUID())).toEqual({ earned: null })
  })

  it('tells of a refusal with its status and fields, without sending it again', async () => {
    const wrong = { ...purchase, order_number: '1003', total_price: -1, products: [] }
    const fields = { total_price: [expect.any(String)], products: [expect.any(String)] }
    expect(await earn(wrong, randomUUID())).toMatchObject({ status: 422, errors: fields })
    expect(keys).toHaveLength(1)
  })

  it('gives up at last on a proxy that answers for the service', async () => {
    const last = { ...purchase, order_number: '1004' }
    const pages: Fate[] = ['page', 'page', 'page', 'page', 'page']
    expect(await earn(last, randomUUID(), ...pages)).toEqual({ message: '502, and not from Nuqta' })
  })
})
