import { createServer } from 'node:net'
import { CliError, errorCode } from './errors.ts'

/**
 * A port of `host` that nothing listens on.
 * @throws CliError where that is no address of this machine
 */
export function findFreePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', (error) => reject(explainListenError(error, 'api', 0)))
    probe.listen(0, host, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
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
