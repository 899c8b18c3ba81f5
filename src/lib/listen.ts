import { createServer } from 'node:net'
import { CliError, errorCode } from './errors.ts'

/** A port of `host` that nothing listens on. */
export function findFreePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, host, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

/** Explains to the operator why a port cannot be listened on; `setting` is where another can be chosen. */
export function explainListenError(error: unknown, setting: string, port: number | undefined): CliError {
  const code = errorCode(error) ?? String(error)
  const reasons: Record<string, string> = {
    EADDRINUSE: `The port ${port} is in use: stop what listens there, or choose another with ${setting}.`,
    EACCES: `This user may not listen on the port ${port}: choose one from 1024 on with ${setting}.`,
    EADDRNOTAVAIL: 'The address of NUQTA_HOST is not one of this machine.',
    ENOTFOUND: 'The name in NUQTA_HOST is not known.',
  }
  return new CliError(reasons[code] ?? `The port ${port} cannot be listened on (${code}).`, { cause: error })
}
