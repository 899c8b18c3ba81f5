import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a file anew and to the disk, for the owner of its folder. Somebody's earlier draft of that name is dropped. */
export async function writeOwnedFile(path: string, text: string, mode = 0o600): Promise<void> {
  await rm(path, { force: true })
  const file = await open(path, 'wx', mode)
  try {
    await giveToOwner(file, path)
    await file.chmod(mode)
    await file.writeFile(text)
    await file.sync()
  } catch (error) {
    throw named(error, path)
  } finally {
    await file.close()
  }
}

/** An error of a write does not name its file, as that of an open does. */
function named(error: unknown, path: string): unknown {
  if (error instanceof Error && !('path' in error)) error.message += ` '${path}'`
  return error
}

/** The same, renamed at the end: readers find all of the file, or what was there before. */
export async function replaceOwnedFile(path: string, text: string, mode = 0o600): Promise<void> {
  const draft = `${path}.${process.pid}.new`
  try {
    await writeOwnedFile(draft, text, mode)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/**
 * Gives what root has just made in a folder of another user to that user, whose service has to read it. By its handle:
 * in such a folder its owner can put something else in its place.
 */
export async function giveToOwner(file: FileHandle, path: string): Promise<void> {
  if (!isRoot()) return
  const { uid, gid } = await stat(dirname(path))
  // The root of a container may have no right to it, and is then the only user there.
  if (uid !== 0) await file.chown(uid, gid).catch(() => undefined)
}

/** The same for a folder. One behind a link is somewhere else, and stays whose it is. */
export async function giveFolderToOwner(path: string): Promise<void> {
  if (!isRoot()) return
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
  const folder = await open(path, flags).catch(() => undefined)
  if (folder === undefined) return
  await giveToOwner(folder, path).finally(() => folder.close())
}

const isRoot = (): boolean => process.getuid?.() === 0
