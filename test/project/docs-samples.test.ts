import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedText } from '../../src/domain/checkout-request.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { buildOpenApi } from '../../src/http/api/openapi.ts'
import { routes } from '../../src/routes.ts'
import { appAtNoon, oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { freePort } from '../support/port.ts'
import { requireSigned } from '../support/signing.ts'
import { readTree, root } from '../support/tree.ts'
import { waitFor } from '../support/wait.ts'

// Integrators copy samples as they stand: what they say and what they do is held here.

const read = (path: string) => readFileSync(root + path, 'utf8')
const checkoutGuide = read('docs/checkout.md')
const webhookGuide = read('docs/webhooks.md')

/** The code blocks of a language. */
function blocks(guide: string, language: string): string[] {
  return [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code = '']) => code)
}

function block(guide: string, language: string, having: string): string {
  const found = blocks(guide, language).filter((code) => code.includes(having))
  if (found.length !== 1) throw new Error(`${found.length} samples in ${language} have ${having}`)
  return found[0] ?? ''
}

const folder = join(tmpdir(), `nuqta-samples-${randomUUID()}`)
beforeAll(() => void mkdirSync(folder))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Language {
  readonly name: string
  readonly command: string
  readonly file: string
  /** Prints what the sample makes of a signed checkout. */
  readonly print: (order: object, ...by: readonly (string | number)[]) => string
}

const text = (value: unknown): string => JSON.stringify(value)
const languages: readonly Language[] = [
  {
    name: 'js',
    command: process.execPath,
    file: 'sample.mjs',
    print: (order, ...by) => `process.stdout.write(signedCheckout(${[order, ...by].map(text).join(', ')}))`,
  },
  {
    name: 'python',
    command: 'python3',
    file: 'sample.py',
    print: (order, ...by) =>
      `print(signed_checkout(json.loads(${text(text(order))}), ${by.map(text).join(', ')}), end="")`,
  },
  {
    name: 'php',
    command: 'php',
    file: 'sample.php',
    print: (order, ...by) => `echo signed_checkout(json_decode('${text(order)}', true), ${by.map(text).join(', ')});`,
  },
]
const isThere = ({ command }: Language): boolean => spawnSync(command, ['--version']).status === 0

/** Runs a program to its end. */
function run({ command, file }: Language, code: string): string {
  const path = join(folder, file)
  writeFileSync(path, code)
  const { status, stdout, stderr } = spawnSync(command, [path], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  return stdout
}

describe('the test vector of the guide', () => {
  const lines = block(checkoutGuide, 'text', 'v1\n').replace(/\n$/, '')
  const secret = /The secret is `(\w+)`/.exec(checkoutGuide)?.[1] ?? ''
  const signature = /which gives `([0-9a-f]{64})`/.exec(checkoutGuide)?.[1]
  const [, public_key = '', expires_at = '', order_number = '', , phone_number = '', callback_url = ''] =
    lines.split('\n')
  const order = {
    total_price: 151,
    order_number: '#1001',
    phone_number,
    callback_url,
    metadata: { branch: 'Olaya' },
  }

  it('is what the service signs, and has the signature that it says', () => {
    const metadata_sha256 = lines.split('\n')[7] ?? ''
    const fields = { public_key, order_number, total_halalas: asHalalas(15_100), phone_number, callback_url }
    expect(signedText({ ...fields, signature_expires_at: Number(expires_at), metadata_sha256 })).toBe(lines)
    expect(createHmac('sha256', secret).update(lines).digest('hex')).toBe(signature)
  })

  for (const language of languages) {
    // Where the interpreter is not installed, there is nothing to run the sample with.
    it.skipIf(!isThere(language))(`is what the sample in ${language.name} gives (needs ${language.command})`, () => {
      const sample = block(checkoutGuide, language.name, 'signature_expires_at')
      const printed = run(language, `${sample}\n${language.print(order, public_key, secret, Number(expires_at))}\n`)
      const sent = JSON.parse(printed) as Record<string, unknown>
      expect(sent).toEqual({ ...order, signature_expires_at: Number(expires_at), signature })
      expect(printed).toContain('"metadata":{"branch":"Olaya"}')
    })
  }
})

describe('a shop that signs by the samples', () => {
  const database = testDatabase()
  const app = appAtNoon(database)

  for (const language of languages) {
    it.skipIf(!isThere(language))(`signs valid checkouts: ${language.name} (needs ${language.command})`, async () => {
      const { merchant, public_key } = await oneShop(database.db)
      const secret = await requireSigned(database.owner, merchant)
      const metadata = { branch: 'العليا', list: [1.5, null, true, { a: [] }], slash: 'a/b' }
      const sample = block(checkoutGuide, language.name, 'signature_expires_at')
      for (const order of [
        { total_price: 10.1, order_number: ' #7 ' },
        { total_price: 1, order_number: '7', phone_number: '  ', callback_url: ' ' },
        { total_price: 9_999_999_999.99, order_number: '7', metadata, phone_number: '051 234 5678' },
      ]) {
        const bytes = run(language, `${sample}\n${language.print(order, public_key, secret)}\n`)
        const request = { bytes, headers: { 'content-type': 'application/json' } }
        const { status, body } = await app.call('POST', `/api/v1/orders/checkout/${public_key}`, request)
        expect([status, body.errors]).toEqual([200, undefined])
      }
    })
  }
})

const order = (id: string, order_number: string, total_price: number) => ({
  id,
  order_number,
  total_price,
  type: 'replacing',
})
const server_opened = '01a1fd87-4e32-7000-b160-3e530c009394'
const forged = '01a1fd87-4e32-7000-b160-3e530c009395'

/** The events that a receiver gets, and its reaction. */
const told = [
  { event: 'approved', order: order(forged, '1001', 0), does: `not as expected ${forged}` },
  { event: 'approved', order: order(forged, '1001', 151), does: `not as expected ${forged}` },
  { event: 'approved', order: order(server_opened, '1001', 1), does: `not as expected ${server_opened}` },
  { event: 'completed', order: order(server_opened, '1001', 151), does: '' },
  { event: 'approved', order: order(server_opened, '1001', 151), does: 'ship 1001' },
  { event: 'approved', order: order(server_opened, '1001', 151), does: 'shipped before 1001' },
  { event: 'approved', order: order(forged, '1002', 0), does: `not as expected ${forged}` },
  { event: 'approved', order: order(forged, '1002', 99.51), does: `not as expected ${forged}` },
  // A shop that adds up its total in floating point has such digits.
  { event: 'approved', order: order(forged, '1002', 99.50000000000001), does: 'ship 1002' },
]

/** Sends an event until the receiver listens; gives the status. */
async function post(port: number, id: number, secret: string, json: object, child: ChildProcess): Promise<number> {
  const headers = { 'X-Webhook-Secret': secret, 'X-Webhook-Id': String(id) }
  const sent = { method: 'POST', headers, body: JSON.stringify(json) }
  let status: number | undefined
  await waitFor('the receiver to listen', async () => {
    status = (await fetch(`http://127.0.0.1:${port}/`, sent).catch(() => undefined))?.status
    if (child.exitCode !== null) throw new Error('the receiver has ended')
    return status !== undefined
  })
  return status ?? 0
}

describe('a receiver by the samples', () => {
  // The sample in PHP uses functions of the shop, so check only its text.
  for (const language of languages.filter(({ name }) => name !== 'php')) {
    it.skipIf(!isThere(language))(
      `ships its own orders, once: ${language.name} (needs ${language.command})`,
      async () => {
        const path = join(folder, `receiver-${language.file}`)
        writeFileSync(path, block(webhookGuide, language.name, 'NUQTA_WEBHOOK_SECRET'))
        const port = await freePort()
        const env = { ...process.env, NUQTA_WEBHOOK_SECRET: 'whsec_test', PORT: String(port) }
        const child = spawn(language.command, [path], { env, stdio: ['ignore', 'pipe', 'ignore'] })
        let printed = ''
        child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
        try {
          expect(await post(port, 0, 'whsec_wrong', {}, child)).toBe(401)
          for (const [id, { event, order }] of told.entries())
            for (let attempt = 1; attempt <= 2; attempt++)
              expect(await post(port, id, 'whsec_test', { event, order }, child)).toBe(204)
        } finally {
          child.kill()
          await once(child, 'close')
        }
        expect(printed.split('\n').filter((line) => line !== '')).toEqual(
          told.map(({ does }) => does).filter((line) => line !== ''),
        )
      },
    )
  }
})

describe('a text that mentions `approved`', () => {
  const needed = [/order\.id/, /order_uuid/, /order_number/, /total(_price)?\b/, /signed checkouts/i, /proves nothing/]
  const guides = readTree('README.md', 'docs/*.md').filter(
    ({ path, text }) => path !== 'docs/errors.md' && /`approved`|"approved"|status=approved/.test(text),
  )

  it('reads there what to compare first, in every guide', () => {
    expect(guides.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['README.md', 'docs/checkout.md', 'docs/webhooks.md', 'docs/widget.md']),
    )
    for (const { path, text } of guides) {
      // The section in which it is mentioned first.
      const section =
        text.split(/^(?=#{1,3} )/m).find((part) => /`approved`|"approved"|status=approved/.test(part)) ?? ''
      for (const what of needed) expect(section, `${path} says ${what}`).toMatch(what)
    }
  })

  it('and in the API description', () => {
    const description = buildOpenApi(routes) as { readonly info: { readonly description: string } }
    expect(JSON.stringify(description).search(/approved/)).toBeLessThan(JSON.stringify(description).indexOf('"paths"'))
    for (const what of needed) expect(description.info.description).toMatch(what)
  })

  it('finds it done in every sample that acts on it', () => {
    const samples = guides.flatMap(({ text }) => ['js', 'ts', 'php', 'python'].flatMap((name) => blocks(text, name)))
    const acting = samples.filter((code) => /['"]approved['"]/.test(code))
    expect(acting).toHaveLength(3)
    for (const code of acting) {
      expect(code).toMatch(/order\.id|order\['id'\]|order\["id"\]/)
      expect(code).toMatch(/mine.*total_price/)
      expect(code).toMatch(/order_number/)
    }
  })
})
