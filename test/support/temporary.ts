import { readFile, statfs } from 'node:fs/promises'

const folder = '/dev/shm'
const room_bytes = 6 * 1024 ** 3

/**
 * Lets temporary files be in memory where Linux has a file system for that, with room for a whole run, that can run programs:
 * there a database is made with a third of the CPU. A TMPDIR that is set stays.
 */
export async function preferMemory(): Promise<void> {
  if (process.env['TMPDIR'] !== undefined || process.env['NUQTA_TEST_LONG'] === '1') return
  const mounts = (await readFile('/proc/mounts', 'utf8').catch(() => '')).split('\n').map((line) => line.split(' '))
  const options = mounts.find(([, place, type]) => place === folder && type === 'tmpfs')?.[3]?.split(',')
  if (options === undefined || options.includes('noexec')) return
  const { bavail, bsize } = await statfs(folder)
  if (Math.min(bavail * bsize, process.availableMemory()) >= room_bytes) process.env['TMPDIR'] = folder
}
