import { expect } from 'vitest'
import { routes } from '../../src/routes.ts'
import type { App } from './api.ts'
import type { Merchant } from './posts.ts'

// Sends the examples of the API description unchanged.

type Json = Readonly<Record<string, unknown>>
type Row = (typeof routes)[number]

interface Caller {
  readonly app: App
  readonly merchant: Merchant
}

function exampleOf(path: string): object | undefined {
  const row = routes.find((one) => one.method === 'POST' && one.path === path)
  if (row === undefined) throw new Error(`no row POST ${path}`)
  return row.example?.request
}

/** Sends the example of another row, which the example under test needs. */
async function make({ app, merchant }: Caller, path: string, named: string, uuid = ''): Promise<string> {
  const { private_key, public_key } = merchant
  const url = path.replace(':publicKey', public_key).replace(':orderUuid', uuid)
  const reply = await app.post(url, private_key, exampleOf(path))
  expect(reply.status).toBe(200)
  return String((reply.body.data as Json)[named])
}

const opened = (caller: Caller) => make(caller, '/v1/orders/checkout/:publicKey', 'order_uuid')
const earned = (caller: Caller) => make(caller, '/v1/orders/earning', 'uuid')

/** Prepares the object of a row's path. Gives its uuid. */
export async function subject(app: App, row: Row, merchant: Merchant): Promise<string> {
  const caller = { app, merchant }
  if (row.path.endsWith('/:uuid')) return make(caller, '/v1/webhooks', 'uuid')
  if (/\/(authorize|complete|cancel)$/.test(row.path)) return opened(caller)
  if (row.path.endsWith('/capture'))
    return make(caller, '/v1/orders/:orderUuid/authorize', 'uuid', await opened(caller))
  if (row.path.includes(':orderUuid')) return earned(caller)
  if (row.method === 'GET') await make(caller, '/v1/webhooks', 'uuid')
  return ''
}

/** The path of a row, for a merchant and an object's uuid. */
export function pathOf({ path }: Row, { public_key }: Merchant, uuid: string): string {
  return path.replace(':publicKey', public_key).replace(/:(orderUuid|uuid)/, uuid)
}
