import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { CliError, errorCode } from './errors.ts'

/**
 * These ports lie below those that systems give to connections: a connection could take one of those between the search and
 * the moment when a server listens on it.
 */
const ports = { from: 20_000, to: 32_000 } as const
const most_tries = 100

/**
 * A port of `host` that nothing listens on.
 * @throws CliError where that is no address of this machine
 */
export async function findFreePort(host: string, { from, to }: { from: number; to: number } = ports): Promise<number> {
  for (let tries = 0; tries < most_tries; tries += 1) {
    const port = randomInt(from, to)
    if (await isFree(port, host)) return port
  }
  throw new CliError(`No port from ${from} to ${to - 1} is free: choose one with ${settings.api.port}.`)
}

/**
 * Whether nothing listens on a port of `host`.
 * @throws CliError where it cannot be listened on for another reason
 */
export async function isFree(port: number, host: string): Promise<boolean> {
  const error = await tryListen(host, port)
  if (error === undefined) return true
  if (errorCode(error) === 'EADDRINUSE') return false
  throw explainListenError(error, 'api', port)
}

/** @throws CliError with advice where a server cannot listen on its port */
export async function requirePort(server: keyof typeof settings, host: string, port: number): Promise<void> {
  const error = await tryListen(host, port)
  if (error !== undefined) throw explainListenError(error, server, port)
}

/** Listens on a port for a moment. Gives the error that this ended with, if any. */
export function tryListen(host: string, port: number): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', resolve)
    probe.listen(port, host, () => probe.close(() => resolve(undefined)))
  })
}

/** Where an operator chooses what each server listens on. */
const settings = {
  api: { port: '--port or NUQTA_PORT', host: '--host or NUQTA_HOST' },
  metrics: { port: 'NUQTA_METRICS_PORT', host: 'NUQTA_METRICS_HOST' },
} as const

/** Explains to the operator why a port cannot be listened on. */
export function explainListenError(
  error: unknown,
  server: keyof typeof settings,
  number: number | undefined,
): CliError {
  const { port, host } = settings[server]
  const code = errorCode(error) ?? String(error)
  const reasons: Record<string, string> = {
    EADDRINUSE: `The port ${number} is in use: stop what listens there, or choose another with ${port}.`,
    EACCES: `This user may not listen on the port ${number}: choose one from 1024 on with ${port}.`,
    EADDRNOTAVAIL: `The address of ${host} is not one of this machine.`,
    ENOTFOUND: `The name in ${host} is not known.`,
  }
  return new CliError(reasons[code] ?? `The port ${number} cannot be listened on (${code}).`, { cause: error })
}
