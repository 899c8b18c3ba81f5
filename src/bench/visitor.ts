import { Agent, request } from 'node:https'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** A person's browser without scripts: keeps cookies, sends forms and follows where they lead. */
export class BenchVisitor {
  readonly #agent: Agent
  readonly #port: number
  readonly #cookies = new Map<string, string>()

  constructor({ port, ca }: { readonly port: number; readonly ca: string }) {
    this.#port = port
    this.#agent = new Agent({ ca, keepAlive: true, maxSockets: 1, servername: 'localhost' })
  }

  /** The headers of a request for a page, as a browser sends them. */
  get headers(): Readonly<Record<string, string>> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return {
      host: `localhost:${this.#port}`,
      accept: 'text/html,application/xhtml+xml',
      'accept-language': 'ar',
      ...(cookie === '' ? {} : { cookie }),
    }
  }

  /** Opens a page, and follows redirects. */
  async open(path: string): Promise<{ readonly path: string; readonly text: string }> {
    const { status, headers, body } = await this.get(path)
    return status === 303 ? this.open(String(headers['location'])) : { path, text: body.toString('utf8') }
  }

  /** Sends the form of a page that does this. */
  async submit(page: { readonly path: string; readonly text: string }, what: string, filled: Record<string, string>) {
    const form = [...page.text.matchAll(/<form\b[^>]*action="([^"]*)"[\s\S]*?<\/form>/g)].find(([text]) =>
      text.includes(`name="do" value="${what}"`),
    )
    if (form === undefined) throw new Error(`${page.path} has no form ${what}`)
    const hidden = [...form[0].matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)]
    const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]))
    const to = (form[1] ?? '').replaceAll('&amp;', '&')
    const { headers } = await this.#send('POST', to, String(new URLSearchParams({ ...fields, ...filled })))
    return this.open(String(headers['location']))
  }

  /** Asks for anything of the service, without following. */
  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.#send('GET', path, undefined, headers)
  }

  /** Calls an endpoint of the API that browsers may call; gives its data. */
  async post(path: string, body: object): Promise<Readonly<Record<string, string>>> {
    const { body: answer } = await this.#send('POST', path, JSON.stringify(body), {
      'content-type': 'application/json',
    })
    return JSON.parse(answer.toString('utf8')).data
  }

  close(): void {
    this.#agent.destroy()
  }

  #send(method: 'GET' | 'POST', path: string, sent?: string, more: Readonly<Record<string, string>> = {}) {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const type = sent === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
    const options = { host: '127.0.0.1', port: this.#port, path, method, agent: this.#agent }
    const asked = request({ ...options, headers: { ...this.headers, ...type, ...more } }, async (answer) => {
      const { statusCode: status = 0, headers } = answer
      this.#keep(headers['set-cookie'] ?? [])
      resolve({ status, headers, body: Buffer.concat(await answer.toArray()) })
    })
    asked.once('error', reject)
    asked.end(sent)
    return promise
  }

  #keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (name !== undefined && value !== undefined) this.#cookies.set(name, value)
    }
  }
}
