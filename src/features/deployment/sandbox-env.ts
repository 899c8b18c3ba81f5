import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'

/** What a client of the sandbox needs, as shell variables (settings-and-commands, "Settings"). */
export interface SandboxEnv {
  readonly NUQTA_BASE_URL: string
  readonly NUQTA_PUBLIC_KEY: string
  /** Absent where the keys were made by a process that has another data directory: it can be shown only once. */
  readonly NUQTA_PRIVATE_KEY?: string
  /** Path of the certificate to trust; absent where the service has a certificate of its own. */
  readonly NUQTA_CA?: string
}

/** What the file says; null when there is no file, or one without a key. */
export async function readSandboxEnv(path: string): Promise<SandboxEnv | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const { NUQTA_BASE_URL = '', NUQTA_PUBLIC_KEY, NUQTA_PRIVATE_KEY, NUQTA_CA } = parseEnv(text)
  if (!NUQTA_PUBLIC_KEY) return null
  const ca = NUQTA_CA === undefined ? {} : { NUQTA_CA }
  return { NUQTA_BASE_URL, NUQTA_PUBLIC_KEY, ...(NUQTA_PRIVATE_KEY ? { NUQTA_PRIVATE_KEY } : {}), ...ca }
}

/** Puts new keys in the place of those of `public_key`. False when the file is not about them. */
export async function replaceSandboxKeys(
  path: string,
  public_key: string,
  pair: { readonly public_key: string; readonly private_key: string },
): Promise<boolean> {
  const env = await readSandboxEnv(path)
  if (env?.NUQTA_PUBLIC_KEY !== public_key) return false
  await writeSandboxEnv(path, { ...env, NUQTA_PUBLIC_KEY: pair.public_key, NUQTA_PRIVATE_KEY: pair.private_key })
  return true
}

const keyElsewhere = [
  '# NUQTA_PRIVATE_KEY is in the sandbox.env of the data directory where it was made: copy its line to this file, or make new',
  "# keys for everybody: nuqta keys regenerate 'Demo Store'",
]

/** Writes the file whole or not at all, readable by its owner only. */
export async function writeSandboxEnv(path: string, env: SandboxEnv): Promise<void> {
  const names = Object.keys(env)
  const lines = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`)
  const head = [`# For clients of this sandbox: . ${shellWord(path)}`, ...(env.NUQTA_PRIVATE_KEY ? [] : keyElsewhere)]
  const draft = `${path}.${process.pid}.new`
  try {
    await writeFile(draft, `${[...head, ...lines, `export ${names.join(' ')}`].join('\n')}\n`, { mode: 0o600 })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** A value as one word of sh, and of Node's `.env` parser too wherever it holds no single quote. */
export function shellWord(text: string): string {
  if (/^[\w./:@%+,=-]+$/.test(text)) return text
  return `'${text.replaceAll("'", "'\\''")}'`
}
