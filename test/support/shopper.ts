import { expect } from 'vitest'
import type { Reply } from '../http/client.ts'
import { attributeOf, unescapeHtml } from './html.ts'

/** A person's browser without JavaScript, over HTTP: it keeps cookies, fills in forms and follows redirects. */

/** The page that a request ended at, or the place outside the service that it led to. */
export interface Visit extends Reply {
  /** With its query. */
  readonly path: string
  /** The address outside the service that a redirect led to. The test does not load it. */
  readonly left: string | null
}

export interface Form {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

type Send = (
  method: string,
  path: string,
  options: { headers: Readonly<Record<string, string>>; bytes?: string },
) => Promise<Reply>

export class Shopper {
  readonly #send: Send
  readonly #origin: string
  readonly #headers: Readonly<Record<string, string>>
  readonly cookies = new Map<string, string>()

  constructor(send: Send, origin: string, headers: Readonly<Record<string, string>> = {}) {
    this.#send = send
    this.#origin = origin
    this.#headers = headers
  }

  open(path: string): Promise<Visit> {
    return this.#go('GET', path)
  }

  /** Submits the form for an action, with fields filled in. */
  submit(page: Visit, what: string, filled: Readonly<Record<string, string>> = {}): Promise<Visit> {
    const form = formOf(page, what)
    return this.post(form.action, new URLSearchParams({ ...form.fields, ...filled }))
  }

  post(path: string, fields: URLSearchParams): Promise<Visit> {
    return this.#go('POST', path, String(fields))
  }

  async #go(method: 'GET' | 'POST', path: string, bytes?: string, steps = 0): Promise<Visit> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await this.#send(method, path, {
      headers: {
        ...this.#headers,
        ...(cookie === '' ? {} : { cookie }),
        ...(bytes === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(bytes === undefined ? {} : { bytes }),
    })
    this.#keep(reply)
    const { location } = reply.headers
    if (location === undefined) return { ...reply, path, left: null }
    const to = new URL(location, this.#origin)
    if (to.origin !== this.#origin) return { ...reply, path, left: to.href }
    expect(reply.status).toBe(303)
    expect(steps).toBeLessThan(5)
    return this.#go('GET', to.pathname + to.search, undefined, steps + 1)
  }

  #keep({ headers }: Reply): void {
    for (const line of headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';', 1)
      const [name = '', value = ''] = pair.split('=')
      if (/max-age=0/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}

/** The form for an action, or the form with a field of this name. */
export function formOf(page: Visit, what: string): Form {
  const found = formsIn(page.text).find(({ fields }) => fields['do'] === what || what in fields)
  if (found === undefined) throw new Error(`${page.path} (${titleOf(page)}) has no form ${what}`)
  return found
}

/** Forms with their default values: hidden fields, filled inputs, and selected choices. */
function formsIn(html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, attributes = '', body = '']) => ({
    action: attributeOf(attributes, 'action') ?? '',
    fields: Object.fromEntries(
      [...body.matchAll(/<input\b([^>]*)>/g)].flatMap(([, input = '']) => {
        const name = attributeOf(input, 'name')
        const picked = /type="(radio|checkbox)"/.test(input) ? /\schecked(\s|$|>)/.test(input) : true
        return name === undefined || !picked ? [] : [[name, attributeOf(input, 'value') ?? '']]
      }),
    ),
  }))
}

/** The title of the page. */
export function titleOf({ text }: Pick<Visit, 'text'>): string {
  return unescapeHtml(/<title>([^<]*)<\/title>/.exec(text)?.[1] ?? '')
}

/** The visible words of a page. */
export function wordsOf({ text }: Pick<Visit, 'text'>): string {
  const body = text.replace(/^[\s\S]*<body>/, '').replace(/<svg[^>]*aria-label="([^"]*)"[\s\S]*?<\/svg>/g, '$1 ')
  const words = unescapeHtml(body.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ')
  return words.replace(/ (?=[.,،؟:)])/g, '').replace(/\( /g, '(')
}

/** The numbers in a page, as they stand in its words and attributes, without those of ids, tokens and the names of shops. */
export function numbersOf({ text }: Pick<Visit, 'text'>): string[] {
  return text.match(/(?<!\w|[\w-]-|\b(?:Shops?|Program) )\d+(?:,\d{3})*(?!\w|-[\w-])/g) ?? []
}

/** The code that a sandbox shows. */
export function codeIn({ text }: Pick<Visit, 'text'>): string {
  const code = /data-code>(\d{6})</.exec(text)?.[1]
  if (code === undefined) throw new Error('no code is shown')
  return code
}

/** A code that is not this one. */
export function wrongFor(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0')
}
