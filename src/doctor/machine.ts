import { X509Certificate } from 'node:crypto'
import { constants } from 'node:fs'
import { access, readFile, stat, statfs } from 'node:fs/promises'
import { isIP } from 'node:net'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import type { Config } from '../config/config.ts'
import { needsCertificate } from '../config/tls.ts'
import { findBinaries, rootCache } from '../db/embedded/binaries.ts'
import { accountFor } from '../db/embedded/program.ts'
import type { ServedCertificate } from '../features/deployment/processes.ts'
import { describeLife, digestOf, lifeOf } from '../http/transport/certificates.ts'
import { errorCode, messageOf } from '../lib/errors.ts'
import { shellWord } from '../lib/escape.ts'
import { bareHost } from '../lib/host.ts'
import { tryListen } from '../lib/listen.ts'
import { type Finding, ok, problem } from './finding.ts'

const oldest_node = 26
const least_free_bytes = 1024 ** 3

export function checkNode(): Finding {
  const { node } = process.versions
  if (Number.parseInt(node, 10) >= oldest_node) return ok('node', `Node.js ${node}`)
  return problem('node', `Node.js ${node}`, `Run \`npm ci\`, which brings Node.js ${oldest_node}, and use bin/nuqta.`)
}

/** initdb and the database driver need the name of the user. */
export function checkUser(): Finding {
  try {
    return ok('user', `${userInfo().username} (uid ${process.getuid?.() ?? 'unknown'})`)
  } catch {
    return problem(
      'user',
      `uid ${process.getuid?.()} has no name`,
      'Give it an entry in /etc/passwd, or run as another user.',
    )
  }
}

/** Checks that PostgreSQL's programs are installed and run here. */
export async function checkBinaries({ data_dir }: Config): Promise<Finding> {
  try {
    const account = await accountFor(join(data_dir, 'postgres'))
    const bin = await findBinaries({ account, cache: account === undefined ? join(data_dir, 'binaries') : rootCache })
    return ok('programs', `PostgreSQL in ${bin}`)
  } catch (error) {
    return problem('programs', `${process.platform}-${process.arch}`, messageOf(error))
  }
}

export async function checkDataDirectory({ data_dir }: Config): Promise<Finding> {
  const found = await stat(data_dir).catch((error: unknown) => errorCode(error) ?? 'unknown')
  if (typeof found === 'string' && found !== 'ENOENT')
    return problem(
      'data directory',
      `${data_dir} cannot be reached (${found})`,
      'Run as its owner, or give --data-dir.',
    )
  if (typeof found === 'string') {
    const parent = await nearestFolder(dirname(data_dir))
    const why = await whyNotWritable(parent)
    if (why === undefined) return ok('data directory', `${data_dir} will be made`)
    return problem('data directory', `${parent} ${why}`, 'Choose another place with --data-dir.')
  }
  if (!found.isDirectory())
    return problem('data directory', `${data_dir} is no directory`, 'Choose another place with --data-dir.')
  const why = await whyNotWritable(data_dir)
  if (why === readOnly)
    return problem(
      'data directory',
      `${data_dir} ${why}`,
      'Mount it for writing, or choose another place with --data-dir.',
    )
  if (why !== undefined) return problem('data directory', `${data_dir} ${why}`, 'Run as its owner, or give --data-dir.')
  if ((found.mode & 0o077) !== 0)
    return problem('data directory', `${data_dir} is open to others`, `Close it: chmod 700 ${shellWord(data_dir)}`)
  return ok('data directory', data_dir)
}

export async function checkDisk({ data_dir, database_url }: Config): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(await nearestFolder(data_dir))
  const free = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GiB free`
  if (bavail * bsize >= least_free_bytes) return ok('disk', free)
  // An external database may share a disk of this machine, but never one so small: a container's data directory, for example.
  if (database_url !== undefined && blocks * bsize < least_free_bytes)
    return ok('disk', `${free}; the database is elsewhere`)
  return problem(
    'disk',
    `${free} for ${data_dir}`,
    'Make room on its disk: the database stops taking orders when it is full.',
  )
}

/** What is known of the running service on this machine. */
export interface Serving {
  readonly isServing: boolean | 'unknown'
  /** Its ports, as far as it has said so. */
  readonly ports: readonly number[]
  /** Its certificates, as far as it has said so. */
  readonly certificates?: readonly ServedCertificate[]
}

const needsNone = 'a worker needs none'

/** The port has to be free, or in use by the running service. */
export async function checkPort({ role, host, port }: Config, { isServing, ports }: Serving): Promise<Finding> {
  if (role === 'worker') return ok('port', needsNone)
  const error = await tryListen(host, port)
  if (error === undefined) return ok('port', `${port} is free`)
  const code = errorCode(error) ?? error.message
  if (code === 'EADDRINUSE' && ports.length > 0 && !ports.includes(port))
    return problem(
      'port',
      `${port} is in use by another program; the running service listens on ${ports.join(', ')}`,
      'Set NUQTA_PORT to the port of the service, or stop what listens there before the next start.',
    )
  if (code === 'EADDRINUSE' && isServing === 'unknown')
    return ok('port', `${port} is in use: whether by the service is known once the database can be used`)
  if (code === 'EADDRINUSE' && isServing) return ok('port', `${port} is in use, by the running service`)
  if (code === 'EADDRINUSE')
    return problem('port', `${port} is in use`, 'Stop what listens there, or choose another with NUQTA_PORT.')
  if (code === 'EACCES')
    return problem('port', `this user may not listen on ${port}`, 'Choose a port from 1024 on with NUQTA_PORT.')
  return problem('port', `${host}:${port} cannot be listened on (${code})`, 'Correct NUQTA_HOST and NUQTA_PORT.')
}

/** Checks the operator's certificate, or that of the local authority, which the service renews by itself. */
export async function checkCertificate(
  config: Config,
  { certificates = [] }: Pick<Serving, 'certificates'> = {},
): Promise<Finding> {
  const { environment, role, tls, data_dir, public_url, trust_proxy } = config
  if (role === 'worker') return ok('certificate', needsNone)
  const is_named = tls !== undefined || trust_proxy.length > 0
  if (environment === 'production' && !is_named && needsCertificate(config))
    return problem(
      'certificate',
      'there is none, and production serves strangers with none of its own making',
      'Set NUQTA_TLS_CERT and NUQTA_TLS_KEY, or NUQTA_TRUST_PROXY where a proxy ends TLS.',
    )
  const pem = tls?.cert ?? (await readFile(join(data_dir, 'tls', 'server.pem'), 'utf8').catch(() => undefined))
  if (pem === undefined) return ok('certificate', 'a local authority will be made')
  const life = lifeOf(pem, new Date())
  const trouble = describeLife(life)
  const advice = tls === undefined ? 'Start the service: it makes a new one.' : 'Renew it, then restart the service.'
  if (trouble !== undefined) return problem('certificate', `it ${trouble}`, advice)
  const { hostname } = new URL(public_url)
  // Behind a proxy clients see the proxy's certificate, and the local authority adds the host at the next start.
  if (tls !== undefined && trust_proxy.length === 0 && !isFor(pem, hostname))
    return problem('certificate', `it is not for ${hostname}, the host of NUQTA_PUBLIC_URL`, 'Correct one of the two.')
  if (tls !== undefined && trust_proxy.length === 0 && isAlone(pem))
    return problem(
      'certificate',
      'it comes without that of the authority that signed it, and most clients do not look for one',
      'Put those between it and the root into the same file, after it: certbot calls that file fullchain.pem.',
    )
  const served =
    tls === undefined ? undefined : checkServed({ ends_on: life.ends_on, sha256: digestOf(pem) }, certificates)
  if (served !== undefined) return served
  return ok('certificate', `valid for ${life.days_left} more days`)
}

/** A running service has to have the certificate of its file. One issued anew, for a key that has leaked, may end on the same day. */
function checkServed(file: ServedCertificate, running: readonly ServedCertificate[]): Finding | undefined {
  const other = running.find(({ ends_on, sha256 = file.sha256 }) => ends_on !== file.ends_on || sha256 !== file.sha256)
  if (other === undefined) return undefined
  const which = other.ends_on === file.ends_on ? 'another one, which also ends on' : 'one that ends on'
  return problem('certificate', `the running service still has ${which} ${other.ends_on}`, 'Restart the service.')
}

/** Browsers do not look at the name in the subject. */
function isFor(pem: string, hostname: string): boolean {
  const bare = bareHost(hostname)
  const certificate = new X509Certificate(pem)
  const found = isIP(bare) === 0 ? certificate.checkHost(bare, { subject: 'never' }) : certificate.checkIP(bare)
  return found !== undefined
}

/** Only an authority below a root says where its own certificate is. */
function isAlone(pem: string): boolean {
  const count = pem.match(/-----BEGIN CERTIFICATE-----/g)?.length
  return count === 1 && new X509Certificate(pem).infoAccess?.includes('CA Issuers') === true
}

async function nearestFolder(path: string): Promise<string> {
  const there = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  return there || dirname(path) === path ? path : nearestFolder(dirname(path))
}

const readOnly = 'is on a read-only file system'

function whyNotWritable(path: string): Promise<string | undefined> {
  return access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error: unknown) => (errorCode(error) === 'EROFS' ? readOnly : 'is not writable'),
  )
}
