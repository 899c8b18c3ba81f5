import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Environment } from '../config/config.ts'
import { DomainError } from '../domain/failures.ts'
import type { Operator } from '../domain/operator.ts'
import type { Page, PageRequest, PageRow } from '../http/pages/page.ts'
import { acceptedEncoding } from '../lib/compress.ts'
import { lazy } from '../lib/lazy.ts'
import { type Html, html } from './design/html.ts'

/** The web app of the dashboard, which `tools/build.mjs` builds from dashboard/ (docs/decisions/0031-dashboard-app.md). */

interface DashboardPageServices {
  readonly environment: Environment
  readonly operator: Operator
  readonly staff: { readonly mail: { readonly name: 'sandbox' | 'smtp' } | undefined }
}

/** A build keeps it beside the compiled service; the sources find the build. */
const folder = import.meta.filename.endsWith('.js')
  ? new URL('../dashboard/', import.meta.url)
  : new URL('../../dist/dashboard/', import.meta.url)

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

interface Build {
  /** index.html, with `%STYLE-NONCE%` in it. */
  readonly index: string
  /** The contents of the hashed files and of their compressed forms, by name: 3 MB. */
  readonly files: ReadonlyMap<string, Buffer>
}

/** Reads the build, once. Throws when there is none. */
export const loadDashboard = lazy(readBuild)

/** Reads everything: an upgrade may replace the folder under this process, whose index.html names files of its own build. */
function readBuild(): Build {
  if (!existsSync(new URL('index.html', folder)))
    throw new Error('the dashboard is not built: run `npm ci` or `npm run build`')
  const assets = new URL('assets/', folder)
  const names = readdirSync(assets).filter((name) => /\.(css|js|svg|woff2)(\.br|\.gz)?$/.test(name))
  return {
    index: readFileSync(new URL('index.html', folder), 'utf8'),
    files: new Map(names.map((name) => [name, readFileSync(new URL(name, assets))])),
  }
}

/** The app, which reads its own URL. */
async function showApp({ params }: PageRequest, services: DashboardPageServices): Promise<Page> {
  // A path of the API that does not exist must not give a page.
  if (params['page'] === 'api') throw new DomainError({ kind: 'path_not_found' })
  const nonce = randomBytes(16).toString('base64')
  return {
    status: 200,
    body: loadDashboard()
      .index.replaceAll('%STYLE-NONCE%', nonce)
      .replace('</title>', () => `</title>\n${factsOf(services).text}`),
    headers: {
      'content-security-policy': policyWith(nonce),
      'permissions-policy': permissions,
      // A page that opens the dashboard keeps no hold of its window, and cannot lead it to a copy later.
      'cross-origin-opener-policy': 'same-origin',
    },
  }
}

/** Facts that the app needs before anybody has signed in, and cannot ask for then. */
function factsOf({ environment, staff, operator }: DashboardPageServices): Html {
  const mails = staff.mail === undefined ? 'none' : staff.mail.name === 'sandbox' ? 'shown' : 'sent'
  const { name, contact } = operator
  const facts = { environment, mails, operator: name, contact }
  const known = Object.entries(facts).filter(([, content]) => content !== null)
  return html`${known.map(([fact, content]) => html`<meta name="${fact}" content="${content}">\n`)}`
}

/** Styles come from files, except for the few that Mantine writes while it runs, which carry the nonce. */
function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    // The live preview of the checkout.
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The app needs nothing of the device but passkeys and copying. */
const permissions = 'camera=(), geolocation=(), microphone=(), payment=()'

/** `/dashboard/assets/…`: the name changes with the content, so browsers can keep it for ever. */
async function showFile(request: PageRequest): Promise<Page> {
  const { files } = loadDashboard()
  const name = request.params['file'] ?? ''
  const type = types[name.slice(name.lastIndexOf('.') + 1)]
  const encoding = files.has(`${name}.br`) ? acceptedEncoding(request.headers['accept-encoding']) : undefined
  const ending = encoding === undefined ? '' : encoding === 'br' ? '.br' : '.gz'
  const body = files.get(`${name}${ending}`)
  if (body === undefined || type === undefined) return notFound
  return {
    status: 200,
    body,
    headers: {
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    },
  }
}

const notFound: Page = {
  status: 404,
  body: 'Not found: reload the dashboard, which names what it needs.\n',
  headers: { 'content-type': 'text/plain; charset=utf-8' },
}

export const dashboardPages: readonly PageRow<DashboardPageServices>[] = [
  { path: '/dashboard', show: showApp },
  { path: '/dashboard/', show: showApp },
  { path: '/dashboard/:page', show: showApp },
  { path: '/dashboard/m/*', show: showApp },
  { path: '/dashboard/p/*', show: showApp },
  { path: '/dashboard/operator/*', show: showApp },
  { path: '/dashboard/assets/:file', show: showFile },
]
