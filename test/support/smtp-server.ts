import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A mail server for tests: it speaks SMTP (RFC 5321), keeps accepted mails, and can refuse or stay silent. */
export interface SmtpServer {
  readonly url: string
  /** The mails that it has taken. */
  readonly taken: readonly TakenMail[]
  /** The commands that came, without what follows their names. */
  readonly commands: readonly string[]
  /** How it answers from the next command on. Undefined: it accepts everything. */
  behaviour: SmtpBehaviour | undefined
  /** How many connections are open. */
  connections(): number
  stop(): Promise<void>
}

export interface TakenMail {
  readonly from: string
  readonly to: readonly string[]
  /** Header lines as they came, unfolded, then the body. */
  readonly headers: readonly string[]
  readonly body: string
}

/** `refuse` answers a command with a line of its own; `hang` never answers it. */
export type SmtpBehaviour = { readonly refuse: Verb; readonly with: string } | { readonly hang: Verb | 'CONNECT' }
type Verb = 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'CONTENT'

export async function startSmtpServer(): Promise<SmtpServer> {
  const taken: TakenMail[] = []
  const commands: string[] = []
  const sockets = new Set<Socket>()
  const made: { behaviour: SmtpBehaviour | undefined } = { behaviour: undefined }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    talk(socket, () => made.behaviour, { taken, commands })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(made, {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    commands,
    connections: () => sockets.size,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  })
}

interface Kept {
  readonly taken: TakenMail[]
  readonly commands: string[]
}

function talk(socket: Socket, behaviour: () => SmtpBehaviour | undefined, { taken, commands }: Kept): void {
  let from = ''
  let to: string[] = []
  let content: string[] | undefined
  const answer = (verb: Verb | 'CONNECT', line: string): boolean => {
    const now = behaviour()
    if (now !== undefined && 'hang' in now && now.hang === verb) return false
    const refused = now !== undefined && 'refuse' in now && now.refuse === verb ? now.with : undefined
    socket.write(`${refused ?? line}\r\n`)
    return refused === undefined
  }
  const takeLine = (line: string): void => {
    if (content !== undefined) {
      if (line !== '.') return void content.push(line.replace(/^\./, ''))
      if (answer('CONTENT', '250 Taken')) taken.push({ from, to, ...readContent(content) })
      content = undefined
      return
    }
    const verb = line.slice(0, 4).toUpperCase()
    commands.push(verb)
    if (verb === 'EHLO') return void answer('EHLO', '250-mail.example\r\n250-AUTH PLAIN\r\n250 8BITMIME')
    if (verb === 'MAIL') {
      if (answer('MAIL', '250 Fine')) [from, to] = [addressIn(line), []]
    } else if (verb === 'RCPT') {
      if (answer('RCPT', '250 Fine')) to.push(addressIn(line))
    } else if (verb === 'DATA') {
      if (answer('DATA', '354 Go on')) content = []
    } else if (verb === 'AUTH') socket.write('235 Fine\r\n')
    else if (verb === 'QUIT') socket.end('221 Bye\r\n')
    else socket.write(verb === 'RSET' ? '250 Fine\r\n' : '502 Not known\r\n')
  }
  let rest = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) takeLine(line)
  })
  answer('CONNECT', '220 mail.example ESMTP')
}

const addressIn = (line: string): string => /<([^>]*)>/.exec(line)?.[1] ?? ''

function readContent(lines: readonly string[]): Pick<TakenMail, 'headers' | 'body'> {
  const end = lines.indexOf('')
  const headers = lines.slice(0, end).reduce<string[]>((all, line) => {
    const before = all.at(-1)
    if (/^[ \t]/.test(line) && before !== undefined) all[all.length - 1] = before + line
    else all.push(line)
    return all
  }, [])
  return { headers, body: lines.slice(end + 1).join('\n') }
}
