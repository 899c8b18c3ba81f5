import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'

/** What a client of the sandbox needs, as shell variables (settings-and-commands, "Settings"). */
export interface SandboxEnv {
  readonly NUQTA_BASE_URL: string
  readonly NUQTA_PUBLIC_KEY: string
  readonly NUQTA_PRIVATE_KEY: string
  /** Path of the certificate to trust; absent where the service has a certificate of its own. */
  readonly NUQTA_CA?: string
}

/** The keys in the file; null when there is no file, or one without keys. */
export async function readSandboxEnv(
  path: string,
): Promise<Pick<SandboxEnv, 'NUQTA_PUBLIC_KEY' | 'NUQTA_PRIVATE_KEY'> | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const { NUQTA_PUBLIC_KEY, NUQTA_PRIVATE_KEY } = parseEnv(text)
  return NUQTA_PUBLIC_KEY && NUQTA_PRIVATE_KEY ? { NUQTA_PUBLIC_KEY, NUQTA_PRIVATE_KEY } : null
}

/** Writes the file whole or not at all, readable by its owner only. */
export async function writeSandboxEnv(path: string, env: SandboxEnv): Promise<void> {
  const names = Object.keys(env)
  const lines = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`)
  const head = `# For clients of this sandbox: . ${shellWord(path)}`
  const draft = `${path}.${process.pid}.new`
  try {
    await writeFile(draft, `${[head, ...lines, `export ${names.join(' ')}`].join('\n')}\n`, { mode: 0o600 })
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
