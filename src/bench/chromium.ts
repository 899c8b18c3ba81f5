import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:tls'

const places = ['chromium', 'chromium-browser', 'google-chrome', 'chromium-headless-shell'].map(
  (name) => `/usr/bin/${name}`,
)

type Params = Readonly<Record<string, unknown>>
type Message = { readonly id?: number; readonly method?: string; readonly sessionId?: string } & Params

/** A tab that is driven by the DevTools protocol. */
export interface Tab {
  send<Result = unknown>(method: string, params?: Params): Promise<Result>
  /** Waits for the next event of this name. */
  next(method: string): Promise<void>
  close(): Promise<void>
}

/** A Chromium without a window. */
export interface Chromium {
  /** A tab of a fresh profile: with an empty cache, without cookies and connections. */
  open(): Promise<Tab>
  stop(): Promise<void>
}

export interface ChromiumOptions {
  /** An empty folder for its files. */
  readonly folder: string
  readonly server: { readonly port: number; readonly ca: string }
}

/**
 * Starts the Chromium of this machine. It takes the server's own certificate for a good one: browsers keep no answer of a
 * server that they distrust, and nothing would be warm.
 */
export async function startChromium({ folder, server }: ChromiumOptions): Promise<Chromium> {
  const program = places.find((path) => existsSync(path))
  if (program === undefined) throw new Error(`there is no Chromium at ${places.join(', ')}`)
  const child = spawn(
    program,
    [
      ...[
        '--headless',
        '--remote-debugging-port=0',
        `--user-data-dir=${folder}`,
        '--no-first-run',
        '--disable-extensions',
      ],
      `--ignore-certificate-errors-spki-list=${await keyHash(server)}`,
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const wire = await Wire.open(await addressOf(child))
  return {
    async open() {
      const { browserContextId } = await wire.send<{ browserContextId: string }>('Target.createBrowserContext')
      const tab = await wire.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank', browserContextId })
      const attach = { targetId: tab.targetId, flatten: true }
      const { sessionId } = await wire.send<{ sessionId: string }>('Target.attachToTarget', attach)
      return {
        send: (method, params) => wire.send(method, params, sessionId),
        next: (method) => wire.next(method, sessionId),
        close: () => wire.send('Target.disposeBrowserContext', { browserContextId }),
      }
    },
    async stop() {
      wire.close()
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** The hash of the server's public key, in base64. */
async function keyHash({ port, ca }: ChromiumOptions['server']): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, ca, servername: 'localhost' })
  await once(socket, 'secureConnect')
  const key = socket.getPeerX509Certificate()?.publicKey.export({ type: 'spki', format: 'der' })
  socket.destroy()
  if (key === undefined) throw new Error('the server has shown no certificate')
  return createHash('sha256').update(key).digest('base64')
}

/** Where Chromium says that its DevTools listen. */
async function addressOf({ stderr }: ChildProcess): Promise<string> {
  let said = ''
  for await (const chunk of stderr ?? []) {
    said += String(chunk)
    const address = /DevTools listening on (ws:\S+)/.exec(said)?.[1]
    if (address !== undefined) return address
  }
  throw new Error(`Chromium ended at its start:\n${said.slice(-2_000)}`)
}

/** Commands and events over one WebSocket. */
class Wire {
  readonly #socket: WebSocket
  readonly #asked = new Map<number, PromiseWithResolvers<unknown>>()
  readonly #awaited = new Map<string, () => void>()
  #last = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data))))
  }

  static async open(address: string): Promise<Wire> {
    const socket = new WebSocket(address)
    await once(socket, 'open')
    return new Wire(socket)
  }

  async send<Result>(method: string, params: Params = {}, sessionId?: string): Promise<Result> {
    this.#last += 1
    const asked = Promise.withResolvers<unknown>()
    this.#asked.set(this.#last, asked)
    this.#socket.send(JSON.stringify({ id: this.#last, method, params, ...(sessionId && { sessionId }) }))
    return (await asked.promise) as Result
  }

  next(method: string, sessionId: string): Promise<void> {
    return new Promise((resolve) => this.#awaited.set(`${sessionId} ${method}`, resolve))
  }

  close(): void {
    this.#socket.close()
  }

  #take({ id, method, sessionId, result, error }: Message): void {
    if (id === undefined) {
      this.#awaited.get(`${sessionId} ${method}`)?.()
      this.#awaited.delete(`${sessionId} ${method}`)
      return
    }
    const asked = this.#asked.get(id)
    this.#asked.delete(id)
    if (error === undefined) asked?.resolve(result)
    else asked?.reject(new Error(JSON.stringify(error)))
  }
}
