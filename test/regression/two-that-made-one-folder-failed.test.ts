import { promises as files } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeFolder } from '../../src/lib/folder.ts'
import { inTemporaryFolder } from '../http/support.ts'

// Of two commands that made one folder at once, one failed where the other had just made the folder above it: it found that
// folder, and took its own failure for that of a place in which nothing can be made.

/** Has somebody else make the folder above `path` at the moment at which `path` could not be made. */
function makeAbove(path: string): void {
  const { mkdir } = files
  const made = vi.spyOn(files, 'mkdir').mockImplementation(async (folder, options) => {
    try {
      return await mkdir(folder, options)
    } catch (error) {
      if (folder === path) await mkdir(dirname(path), { recursive: true })
      throw error
    }
  })
  // The named exports, which the code imports, are those of the module from here on.
  syncBuiltinESMExports()
  onTestFinished(() => {
    made.mockRestore()
    syncBuiltinESMExports()
  })
}

test('a folder is made where somebody else makes the one above it at that moment', async () => {
  await inTemporaryFolder(async (root) => {
    const path = join(root, 'above', 'folder')
    makeAbove(path)
    await makeFolder(path, 0o700)
    expect((await files.stat(path)).isDirectory()).toBe(true)
  })
})
