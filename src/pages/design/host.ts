import { domainToUnicode } from 'node:url'
import { type Html, html } from './html.ts'

/** Only letters of the Arabic alphabet and digits: no other script, no look-alike letters of Persian or Urdu. */
const arabicName = /^(?:[\u0621-\u063a\u0641-\u064a0-9-]+\.)+[\u0621-\u063a\u0641-\u064a]+$/

/**
 * The host that a link leads to, as a browser shows it: with its port, without invisible characters, and in Punycode unless
 * the name is plainly Arabic. Throws for what is no URL.
 */
export function shownHost(link: string): Html {
  const { hostname, host } = new URL(link)
  const name = domainToUnicode(hostname)
  const shown = arabicName.test(name) ? name + host.slice(hostname.length) : host
  return html`<bdi>${shown}</bdi>`
}
