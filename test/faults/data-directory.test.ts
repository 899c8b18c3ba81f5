import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DataDirectoryError, lockDataDirectory, openDataDirectory } from '../../src/config/data-directory.ts'
import { startHolder } from './processes.ts'

let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'nuqta data '))
})
afterEach(() => rm(root, { recursive: true, force: true }))

test('a missing data directory is made with its parents, closed to others, with absolute paths', async () => {
  const dir = await openDataDirectory(join(root, 'a b', 'data'))
  expect((await stat(dir.path)).mode & 0o777).toBe(0o700)
  expect(dir.cluster).toBe(join(dir.path, 'postgres'))
  const again = await openDataDirectory(`${root}/a b/../a b/data`)
  expect(again).toEqual(dir)
})

test('an empty directory made by others is closed; one with content keeps its mode', async () => {
  const empty = join(root, 'empty')
  const full = join(root, 'full')
  await mkdir(join(full, 'something'), { recursive: true })
  await mkdir(empty)
  await chmod(empty, 0o755)
  await chmod(full, 0o755)
  await openDataDirectory(empty)
  await openDataDirectory(full)
  expect((await stat(empty)).mode & 0o777).toBe(0o700)
  expect((await stat(full)).mode & 0o777).toBe(0o755)
})

test('a file in its place is refused with what to do', async () => {
  const file = join(root, 'file')
  await writeFile(file, '')
  const refused = openDataDirectory(file)
  await expect(refused).rejects.toThrow(DataDirectoryError)
  await expect(refused).rejects.toThrow(/is not a directory; choose another with NUQTA_DATA_DIR or --data-dir\.$/)
})

test('one holder at a time, and the next as soon as it releases the lock', async () => {
  const dir = await openDataDirectory(root)
  const first = await lockDataDirectory(dir)
  expect(first).not.toBeNull()
  expect(await lockDataDirectory(dir)).toBeNull()
  await first?.release()
  await first?.release()
  const second = await lockDataDirectory(dir)
  expect(second).not.toBeNull()
  await second?.release()
})

test('the lock holds across processes, and dies with a holder that is killed', async () => {
  const dir = await openDataDirectory(root)
  const holder = await startHolder('lock', dir.path)
  expect(holder.said).toEqual({ locked: true })
  expect(await lockDataDirectory(dir)).toBeNull()
  await holder.kill()
  const lock = await lockDataDirectory(dir)
  expect(lock).not.toBeNull()
  await lock?.release()
  expect(await readdir(dir.path)).toEqual(['lock'])
  expect(await readFile(dir.lock, 'utf8')).toBe('')
})

test('a lock that cannot be opened is named, with what to do', async () => {
  const dir = await openDataDirectory(join(root, 'data'))
  await mkdir(dir.lock)
  const locked = lockDataDirectory(dir)
  await expect(locked).rejects.toThrow(DataDirectoryError)
  await expect(locked).rejects.toThrow(`The lock ${dir.lock} cannot be taken`)
})
