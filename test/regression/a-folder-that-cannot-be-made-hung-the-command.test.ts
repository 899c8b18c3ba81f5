import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saveResult } from '../../src/bench/report.ts'
import { makeFolder } from '../../src/lib/folder.ts'
import { nuqta, scratch } from '../cli/command.ts'

// `nuqta serve --data-dir /proc/nuqta` hung, and took a core: below /proc no folder can be made, and the answer is that of a
// folder whose parent is missing. Node's recursive mkdir tries again for ever.

const { path: cwd } = scratch()

describe.runIf(process.platform === 'linux')('in a place where no folder can be made', () => {
  test.each(['/proc/nuqta', '/proc/nuqta/data'])(
    'serve refuses the data directory %s, and says what to do',
    async (path) => {
      const { code, stdout, stderr } = await nuqta(['serve', '--data-dir', path, '--port', '0'], { cwd })
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain(
        `The data directory ${path} cannot be made in that place; choose another with NUQTA_DATA_DIR or --data-dir.`,
      )
    },
  )

  test('a result of a measurement is refused', async () => {
    await expect(saveResult('/proc/nuqta', 'earning', {})).rejects.toThrow('ENOENT')
  })
})

describe('a folder that can be made', () => {
  let root = ''
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'nuqta folder '))
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  test('is made with those above it, also by two at once, and is left as it is if it is there', async () => {
    const path = join(root, 'a', 'b', 'c')
    await Promise.all([makeFolder(path, 0o700), makeFolder(path, 0o700)])
    for (const made of [path, join(root, 'a')]) expect((await stat(made)).mode & 0o777).toBe(0o700)
    await makeFolder(path, 0o755)
    expect((await stat(path)).mode & 0o777).toBe(0o700)
  })

  test('is found through a link, and is refused in the place of a file or of a link that leads nowhere', async () => {
    await mkdir(join(root, 'there'))
    await symlink('there', join(root, 'link'))
    await makeFolder(join(root, 'link'), 0o700)
    await makeFolder(join(root, 'link', 'within'), 0o700)
    await writeFile(join(root, 'file'), '')
    await symlink('gone', join(root, 'nowhere'))
    for (const name of ['file', 'file/within', 'nowhere', 'nowhere/within'])
      await expect(makeFolder(join(root, name), 0o700), name).rejects.toThrow(/EEXIST|ENOTDIR/)
  })
})
