import { createHash, createHmac } from 'node:crypto'
import type { Database } from '../../src/db/pool.ts'
import { makeCheckoutSecret } from '../../src/features/checkout/signing.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { defaults } from './api.ts'

/** A shop's server that signs checkouts. It follows the guide and uses none of the service's code. */

export interface Signing {
  readonly public_key: string
  readonly secret: string
}

export interface SignedBody {
  readonly total_price: number
  readonly order_number: string
  readonly phone_number?: string
  readonly callback_url?: string
  readonly metadata?: unknown
  readonly [name: string]: unknown
}

/** Half an hour from now, in Unix seconds. */
export function inHalfAnHour(): number {
  return Math.floor(Date.now() / 1000) + 1_800
}

/** The lower-case hex signature of a checkout. `metadata` is the text that stands in the body. */
export function signatureOf(
  { public_key, secret }: Signing,
  body: SignedBody,
  { expires_at, metadata }: { readonly expires_at: number; readonly metadata?: string | undefined },
): string {
  const lines = [
    'v1',
    public_key,
    expires_at,
    body.order_number.trim().replace(/^#/, '').trim(),
    body.total_price.toFixed(2),
    body.phone_number ?? '',
    body.callback_url ?? '',
    metadata === undefined ? '' : createHash('sha256').update(metadata).digest('hex'),
  ]
  return createHmac('sha256', secret).update(lines.join('\n')).digest('hex')
}

/** The same body with both fields. */
export function signed<Body extends SignedBody>(by: Signing, body: Body, expires_at = inHalfAnHour()) {
  const metadata = body.metadata === undefined ? undefined : JSON.stringify(body.metadata)
  return { ...body, signature_expires_at: expires_at, signature: signatureOf(by, body, { expires_at, metadata }) }
}

interface Owner {
  readonly program_id: number
  readonly merchant_id: number
}

/** Gives a merchant a checkout secret, and lets it require signed checkouts. */
export async function requireSigned(owner: Database, merchant: Owner, required = true): Promise<string> {
  const { program_id, merchant_id } = merchant
  const secrets = createSecretBox(defaults.secret_key)
  const secret = await owner.transaction((tx) =>
    makeCheckoutSecret(tx, secrets, { program_id, merchant_id }, new Date()),
  )
  if (secret === null) throw new Error('this merchant has a checkout secret')
  await owner.run({
    text: 'update merchant set signed_checkouts = $3 where program_id = $1 and merchant_id = $2',
    values: [program_id, merchant_id, required],
  })
  return secret
}

/** Names the hosts that a merchant's checkouts may lead back to. */
export async function nameReturnHosts(owner: Database, merchant: Owner, hosts: readonly string[]): Promise<void> {
  await owner.run({
    text: 'update merchant set return_hosts = $3 where program_id = $1 and merchant_id = $2',
    values: [merchant.program_id, merchant.merchant_id, [...hosts]],
  })
}
