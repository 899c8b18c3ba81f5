import type { Running } from './compose.ts'
import type { Config } from './config/config.ts'
import { shellWord } from './features/deployment/sandbox.ts'

/** What a person reads once the service is ready. In production it names no keys. */
export function banner(
  { base_url, sandbox }: Running,
  { environment, role }: Pick<Config, 'environment' | 'role'>,
): string {
  if (role === 'worker') return text(['', `Nuqta is ready (${environment}, worker: no API here).`])
  const lines = ['', `Nuqta is ready (${environment}).`, '', `  API   ${base_url}`]
  if (sandbox === undefined) return text(lines)
  lines.push(`  Keys  ${sandbox.env_file}`, '')
  if (sandbox.keys === 'replaced')
    lines.push('That file was gone, so the demo merchant has new keys; its old ones no longer work.', '')
  if (sandbox.keys === 'stale')
    lines.push('The keys in that file no longer work. Delete it and start again to have new ones made.', '')
  if (sandbox.keys === 'elsewhere') {
    lines.push(
      'This database has its demo merchant already, and its private key is in the sandbox.env of the data directory where it was',
      'made. Copy that line to the file above, or make new keys for everybody:',
      ...['', "  nuqta keys regenerate 'Demo Store'"],
    )
    return text(lines)
  }
  lines.push('Award points to a customer, from another terminal:', '', ...indent(curl(sandbox)))
  return text(lines)
}

/** Works when pasted into sh, bash or zsh, any number of times; the private key stays off the screen. */
function curl({ env_file, has_ca }: NonNullable<Running['sandbox']>): string[] {
  const body = [
    '"phone_number": "0512345678", "total_price": 199.5',
    '"products": [{"product_name": "Coffee beans", "product_price": 199.5, "quantity": 1}]',
    `"order_number": "demo-'$(date +%s)'"`,
  ].join(', ')
  return [
    `. ${shellWord(env_file)} && curl${has_ca ? ' --cacert "$NUQTA_CA"' : ''} "$NUQTA_BASE_URL/v1/orders/earning" \\`,
    `  -H "x-api-key: $NUQTA_PRIVATE_KEY" -H 'Content-Type: application/json' -H 'Accept: application/json' \\`,
    `  -d '{${body}}'`,
  ]
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}

function text(lines: readonly string[]): string {
  return `${[...lines, ''].join('\n')}\n`
}
