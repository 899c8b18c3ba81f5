import { createHash, X509Certificate } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureLocalAuthority, type LocalAuthority } from '../../src/http/transport/server-certificate.ts'

let made: Promise<LocalAuthority> | undefined

/** One authority serves all servers of a worker. Its files are removed at once. */
export function localAuthority(): Promise<LocalAuthority> {
  made ??= make()
  return made
}

async function make(): Promise<LocalAuthority> {
  const folder = await mkdtemp(join(tmpdir(), 'nuqta-authority-'))
  try {
    return await ensureLocalAuthority(folder, [])
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The hash by which Chromium knows the certificate of those servers. */
export async function certificateHash(): Promise<string> {
  const { publicKey } = new X509Certificate((await localAuthority()).cert)
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')
}
