import type { Sources } from './sources.ts'
import { isLoopback } from './values.ts'

interface ProductionListener {
  readonly role: 'all' | 'api' | 'worker'
  readonly host: string
  readonly public_url: string
}

/**
 * What production cannot run without: the URL that its links begin with, and a certificate that shops and browsers trust.
 * The local authority is enough only where nobody else can connect.
 */
export function checkProduction(sources: Sources, { role, host, public_url }: ProductionListener): void {
  if (!sources.isGiven('NUQTA_PUBLIC_URL'))
    sources.mistake(
      'NUQTA_PUBLIC_URL',
      'is required in production: links begin with it, like https://points.example.com',
    )
  const given = ['NUQTA_TLS_CERT', 'NUQTA_TLS_KEY', 'NUQTA_TRUST_PROXY'] as const
  if (role === 'worker' || given.some((name) => sources.isGiven(name))) return
  if (isLoopback(host) && isLoopback(new URL(public_url).hostname)) return
  sources.mistake(
    'NUQTA_TLS_CERT',
    'is required in production, with NUQTA_TLS_KEY: nobody else trusts the local authority. ' +
      'Behind a proxy that ends TLS, set NUQTA_TRUST_PROXY to its addresses instead',
  )
}
