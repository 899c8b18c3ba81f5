import type { Config } from '../../config/config.ts'
import type { DataDirectory } from '../../config/data-directory.ts'
import { startWorkerLoop } from '../../lib/worker-loop.ts'
import type { Log } from '../../observability/log.ts'
import { describeLife, lifeOf } from './certificate-life.ts'
import { ensureLocalAuthority } from './tls.ts'

export interface ServerCertificate {
  /** PEM texts. */
  readonly cert: string
  readonly key: string
  /** The authority's certificate, for clients to trust; undefined with a certificate of the operator's own. */
  readonly caPath: string | undefined
}

/** The operator's certificate, or one of the local authority, made or renewed where it has to be. */
export async function findCertificate(
  { tls, host, public_url }: Pick<Config, 'tls' | 'host' | 'public_url'>,
  dir: DataDirectory,
  now: Date = new Date(),
): Promise<ServerCertificate> {
  if (tls !== undefined) return { ...tls, caPath: undefined }
  const every = ['::', '0.0.0.0']
  const hosts = [host, new URL(public_url).hostname].filter((name) => !every.includes(name))
  return ensureLocalAuthority(dir.tls, hosts, now)
}

export interface CertificateWatch {
  readonly first: ServerCertificate
  /** Finds it again: the local authority renews it in time. */
  readonly find: () => Promise<ServerCertificate>
  readonly renew: (certificate: ServerCertificate) => void
  readonly log: Log
  readonly now?: () => Date
}

const day_ms = 86_400_000

/**
 * At once and every day: warns of a certificate that has expired or will soon, and switches to a renewed one.
 * @returns `look` for one round, and `stop`
 */
export function watchCertificate({ first, find, renew, log, now = () => new Date() }: CertificateWatch): {
  readonly look: () => Promise<void>
  readonly stop: () => Promise<void>
} {
  let current = first

  function warn(): void {
    const trouble = describeLife(lifeOf(current.cert, now()))
    if (trouble !== undefined) log.warn(`the certificate ${trouble}: renew it, then restart the service`)
  }

  async function look(): Promise<void> {
    try {
      const found = await find()
      if (found.cert !== current.cert) {
        current = found
        renew(found)
        log.info('the certificate of the local authority was renewed')
      }
    } catch (error) {
      log.warn({ err: error }, 'the certificate could not be renewed and is tried again tomorrow')
    }
    warn()
  }

  warn()
  const stop = startWorkerLoop({ work: look, pause_ms: day_ms, first_pause_ms: day_ms, stop_patience_ms: 0 })
  return { look, stop }
}
