import type { IncomingHttpHeaders } from 'node:http'
import type { CallOptions, Reply } from '../http/client.ts'
import { attributeOf } from './html.ts'

/** A form on a page: its target and its default values. */
interface Form {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

/** Reads pages like a browser without scripts: keeps cookies, fills in forms, follows redirects of this service. */
export interface Visitor {
  /** As the browser would send them. */
  readonly cookies: Map<string, string>
  open(path: string, headers?: Readonly<Record<string, string>>): Promise<Reply>
  /** Fills in the form of the last page, the one whose action ends in `action` when there are several, and sends it. */
  submit(fields?: Readonly<Record<string, string>>, action?: string): Promise<Reply>
  /** The path that the last page was found at, with its query. */
  readonly path: string
}

type Send = (method: string, path: string, options?: CallOptions) => Promise<Reply>

export function visitor(send: Send, standing: Readonly<Record<string, string>> = {}): Visitor {
  const cookies = new Map<string, string>()
  let path = '/'
  let page: Reply | undefined

  async function go(method: string, to: string, options: CallOptions): Promise<Reply> {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...standing, ...(cookie === '' ? {} : { cookie }), ...options.headers }
    const reply = await send(method, to, { ...options, headers })
    keepCookies(cookies, reply.headers)
    path = to
    page = reply
    const { location } = reply.headers
    const leads = reply.status === 303 && location?.startsWith('/') === true
    return leads ? go('GET', location, {}) : reply
  }

  return {
    cookies,
    get path() {
      return path
    },
    open: (to, headers = {}) => go('GET', to, { headers }),
    async submit(fields = {}, action = '') {
      const form = formsOf(page?.text ?? '', path).find((one) => one.action.split('?', 1)[0]?.endsWith(action))
      if (form === undefined) throw new Error(`no form on ${path} leads to ${action}`)
      const bytes = new URLSearchParams({ ...form.fields, ...fields }).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return go('POST', form.action, { bytes, headers })
    },
  }
}

function keepCookies(cookies: Map<string, string>, headers: IncomingHttpHeaders): void {
  for (const line of headers['set-cookie'] ?? []) {
    const [pair = '', ...rest] = line.split(';')
    const [name = '', value = ''] = pair.split('=', 2)
    if (rest.some((part) => /^\s*max-age=0$/i.test(part))) cookies.delete(name)
    else cookies.set(name, value)
  }
}

function formsOf(text: string, path: string): Form[] {
  return Array.from(text.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g), ([, head = '', body = '']) => {
    const inputs = Array.from(body.matchAll(/<input([^>]*)>/g), ([, own = '']) => own)
    const sent = inputs.filter((own) => !/type="(?:radio|checkbox)"/.test(own) || /\schecked\b/.test(own))
    return {
      action: attributeOf(head, 'action') ?? path,
      fields: Object.fromEntries(sent.map((own) => [attributeOf(own, 'name') ?? '', attributeOf(own, 'value') ?? ''])),
    }
  })
}
