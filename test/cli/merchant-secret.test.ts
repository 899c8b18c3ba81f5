import { expect, test } from 'vitest'
import { signed } from '../support/signing.ts'
import { call, runningService } from './command.ts'

// Signed checkouts and return hosts, set by an operator on a running service.

const { client, run } = runningService()
const merchant = 'Demo Store'

async function set(...args: string[]): Promise<Record<string, unknown>> {
  const ended = await run('merchant', 'set', merchant, '--json', ...args)
  expect([ended.code, ended.json.length]).toEqual([0, 1])
  return ended.json[0] ?? {}
}

const statusOf = async (body: object) =>
  (await call(client(), { path: `/api/v1/orders/checkout/${client().NUQTA_PUBLIC_KEY}`, body })).status

test('signed checkouts are switched on, which prints the secret once, and off again', async () => {
  const body = { total_price: 10, order_number: '#1' }
  expect(await statusOf(body)).toBe(200)
  const on = await set('--signed-checkouts', 'on')
  expect(on).toMatchObject({ signed_checkouts: true, return_hosts: [] })
  const secret = String(on['checkout_secret'])
  expect(secret).toMatch(/^chsec_[0-9a-z]{26}$/)
  const by = { public_key: client().NUQTA_PUBLIC_KEY, secret }
  expect(await statusOf(body)).toBe(422)
  expect(await statusOf(signed(by, body))).toBe(200)

  const again = await run('merchant', 'set', merchant, '--signed-checkouts', 'on', '--json')
  expect(again.json[0]).not.toHaveProperty('checkout_secret')
  expect(again.stderr).toContain('rotate-checkout-secret')
  expect(await statusOf(signed(by, body))).toBe(200)
  for (const args of [
    ['merchant', 'show', merchant],
    ['merchant', 'list'],
  ]) {
    const shown = await run(...args, '--json')
    expect(shown.json[0]).toMatchObject({ signed_checkouts: true, return_hosts: [] })
    expect(shown.stdout).not.toContain('chsec_')
  }

  const rotated = await run('merchant', 'rotate-checkout-secret', merchant, '--json')
  const fresh = String(rotated.json[0]?.['checkout_secret'])
  expect(fresh).toMatch(/^chsec_/)
  expect(fresh).not.toBe(secret)
  expect(await statusOf(signed(by, body))).toBe(422)
  expect(await statusOf(signed({ ...by, secret: fresh }, body))).toBe(200)

  expect(await set('--signed-checkouts', 'off')).toMatchObject({ signed_checkouts: false })
  expect(await statusOf(body)).toBe(200)
  expect(await statusOf(signed(by, body))).toBe(422)
})

test('a merchant can be given its secret before it requires signatures', async () => {
  const made = await run('merchant', 'create', '--name', 'Later', '--verified', '--published', '--json')
  const { merchant_id, public_key } = made.json[0] as { merchant_id: number; public_key: string }
  const rotated = await run('merchant', 'rotate-checkout-secret', String(merchant_id), '--json')
  expect(rotated.json[0]).toMatchObject({ merchant_id, signed_checkouts: false })
  const secret = String(rotated.json[0]?.['checkout_secret'])
  const on = await run('merchant', 'set', String(merchant_id), '--signed-checkouts', 'on', '--json')
  expect(on.json[0]).toMatchObject({ signed_checkouts: true })
  expect(on.json[0]).not.toHaveProperty('checkout_secret')
  const body = signed({ public_key, secret }, { total_price: 10, order_number: '#1' })
  expect((await call(client(), { path: `/api/v1/orders/checkout/${public_key}`, body })).status).toBe(200)
})

test('return hosts replace the earlier ones, and can be removed', async () => {
  const hosts = ['Shop.Example', 'متجر.السعودية', '--return-host', 'localhost:3000', '--return-host', 'shop.example']
  expect(await set('--return-host', ...hosts)).toMatchObject({
    return_hosts: ['shop.example', 'xn--pgbep1f.xn--mgberp4a5d4ar', 'localhost:3000'],
  })
  const leading = (callback_url: string) => statusOf({ total_price: 10, order_number: '#1', callback_url })
  expect(await leading('https://shop.example/thanks')).toBe(200)
  expect(await leading('https://متجر.السعودية/')).toBe(200)
  expect(await leading('https://evil.example/')).toBe(422)
  expect(await set('--return-host', 'other.example')).toMatchObject({ return_hosts: ['other.example'] })
  expect(await leading('https://shop.example/thanks')).toBe(422)
  expect(await set('--no-return-host')).toMatchObject({ return_hosts: [] })
  expect(await leading('https://evil.example/')).toBe(200)
  const shown = await run('merchant', 'show', merchant)
  expect(shown.stdout).toMatch(/return_hosts\s+any/)
})

test('a malformed host is wrong use, and changes nothing', async () => {
  for (const host of ['https://shop.example/', '*.shop.example', 'a/b', '']) {
    const ended = await run('merchant', 'set', merchant, '--checkout', 'off', '--return-host', host)
    expect([host, ended.code]).toEqual([host, 2])
  }
  const [shown] = (await run('merchant', 'show', merchant, '--json')).json
  expect(shown).toMatchObject({ return_hosts: [], flows: { checkout: true } })
})
