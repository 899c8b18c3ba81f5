import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { shellWord } from '../lib/escape.ts'
import { type Finding, ok, problem } from './finding.ts'

/** Where container engines put secrets, readable by all: nobody else is in the container. */
const folder_of_containers = '/run/secrets/'

/** Checks that nobody else on this machine can read or change the files that hold secrets. No finding without files. */
export async function checkSecretFiles(paths: readonly string[], uid = process.getuid?.()): Promise<Finding[]> {
  const found = await Promise.all(paths.map((path) => examine(path, uid)))
  const open = found.filter((one) => one !== undefined)
  if (open.length === 0) return paths.length === 0 ? [] : [ok('secret files', 'closed to others')]
  const details = open.map(({ path, to }) => `${path} is open to ${to}`)
  const advice = open.map(({ path, mode }) => `Close it: chmod ${mode} ${shellWord(path)}`)
  return [problem('secret files', details.join('; '), advice.join('\n'))]
}

interface OpenFile {
  readonly path: string
  readonly to: 'everybody' | 'its group'
  readonly mode: string
}

/**
 * A file of this user is for nobody else. One of root, or of another user, comes to this one by its group, which may read
 * it: the rule that PostgreSQL has for its keys. Files that cannot be read are mistakes of the settings.
 */
async function examine(path: string, uid: number | undefined): Promise<OpenFile | undefined> {
  const real = await realpath(path).catch(() => path)
  const file = await stat(real).catch(() => undefined)
  if (file === undefined || !file.isFile() || real.startsWith(folder_of_containers)) return undefined
  const isOwn = file.uid === uid && uid !== 0
  const reached = file.mode & (isOwn ? 0o066 : 0o026) & (await reachOf(dirname(real)))
  if (reached === 0) return undefined
  return { path, to: (reached & 0o006) === 0 ? 'its group' : 'everybody', mode: isOwn ? 'go=' : 'g-w,o=' }
}

/** Who gets through a folder and all those above it, as the bits of a file's mode that count there. */
async function reachOf(folder: string): Promise<number> {
  const { mode } = await stat(folder)
  const here = (mode & 0o001) === 0 ? 0o060 : 0o066
  const passed = (mode & 0o011) === 0 ? 0 : here
  return dirname(folder) === folder ? passed : passed & (await reachOf(dirname(folder)))
}
