import { existsSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { CliError, errorCode } from './errors.ts'

/**
 * A file that appears under its name only when it is complete and on disk. Until then it is `PATH.part`. One that a
 * killed process left there is replaced. Readable by its owner only.
 */
export class PartFile {
  /** As it was typed, for messages. */
  readonly #name: string
  readonly #path: string
  readonly #part: string
  readonly #force: boolean
  readonly #handle: FileHandle
  readonly #inode: bigint

  private constructor(name: string, path: string, force: boolean, handle: FileHandle, inode: bigint) {
    this.#name = name
    this.#path = path
    this.#part = `${path}.part`
    this.#force = force
    this.#handle = handle
    this.#inode = inode
  }

  /**
   * Begins to write the file `name` of the folder `cwd`.
   * @throws CliError if it exists and `force` is not given, or cannot be made
   */
  static async begin(
    name: string,
    { force, cwd }: { readonly force: boolean; readonly cwd: string },
  ): Promise<PartFile> {
    const path = resolve(cwd, name)
    try {
      const found = statSync(path, { throwIfNoEntry: false })
      if (found !== undefined && !found.isFile()) throw new CliError(`${name} is not a file: give another name.`)
      if (found !== undefined && !force) throw new CliError(`${name} exists: give another name, or --force.`)
      await rm(`${path}.part`, { force: true })
      const handle = await open(`${path}.part`, 'wx', 0o600)
      return new PartFile(name, path, force, handle, (await handle.stat({ bigint: true })).ino)
    } catch (error) {
      throw explain(name, error)
    }
  }

  /** Resolves when the bytes are written. */
  async write(bytes: Buffer): Promise<void> {
    try {
      // A single write may take only some of the bytes.
      for (let at = 0; at < bytes.length; ) at += (await this.#handle.write(bytes, at)).bytesWritten
    } catch (error) {
      throw explain(this.#name, error)
    }
  }

  /**
   * Gives the file its name, once it is on disk.
   * @throws CliError if somebody else has begun to write the same file, or made it meanwhile without `force`
   */
  async complete(): Promise<void> {
    try {
      await this.#handle.sync()
      await this.#handle.close()
      if (statSync(this.#part, { bigint: true, throwIfNoEntry: false })?.ino !== this.#inode)
        throw new CliError(`Another process writes ${this.#name} too: give another name.`)
      await (this.#force ? rename(this.#part, this.#path) : this.#nameNew())
      await syncFolder(dirname(this.#path))
    } catch (error) {
      throw explain(this.#name, error)
    }
  }

  /** Gives the file a name that nothing has: unlike a rename, a link replaces nothing. */
  async #nameNew(): Promise<void> {
    try {
      await link(this.#part, this.#path)
    } catch (error) {
      if (existsSync(this.#path))
        throw new CliError(`${this.#name} was made meanwhile, and is left as it is: give another name, or --force.`)
      if (!linkless.has(errorCode(error) ?? '')) throw error
      return rename(this.#part, this.#path)
    }
    await rm(this.#part)
  }

  /** Removes what was written, at once, so that it can also run at the end of the process. */
  discard(): void {
    const found = statSync(this.#part, { bigint: true, throwIfNoEntry: false })
    if (found?.ino === this.#inode) rmSync(this.#part, { force: true })
  }

  /** Ends a file that is not completed. */
  async abandon(): Promise<void> {
    this.discard()
    await this.#handle.close().catch(() => undefined)
  }
}

/** How a link fails on disks that have no links, such as those of cameras and of some network shares. */
const linkless: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Makes a rename survive a loss of power. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function explain(path: string, error: unknown): unknown {
  const code = errorCode(error)
  if (code === undefined || !(error instanceof Error)) return error
  const reason = code === 'ENOSPC' ? 'the disk is full' : error.message
  return new CliError(`${path} cannot be written: ${reason}.`, { cause: error })
}
