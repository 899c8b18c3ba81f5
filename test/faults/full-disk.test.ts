import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ensureLocalAuthority } from '../../src/http/transport/server-certificate.ts'
import { writeOwnedFile } from '../../src/lib/owned-file.ts'
import { nuqta, scratch } from '../cli/command.ts'
import { dataOf } from '../http/client.ts'
import { startService } from '../journeys/service.ts'
import { purchase } from '../support/api.ts'
import { openWithCluster } from '../support/fresh-cluster.ts'
import { waitFor } from '../support/wait.ts'

const { path: home } = scratch()
const megabyte = Buffer.alloc(2 ** 20)

/** Mounts a file system of 160 MB; gives false if this user may not. */
function mount(folder: string): boolean {
  try {
    mkdirSync(folder)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=700', 'tmpfs', folder], { stdio: 'ignore' })
    onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
    return true
  } catch {
    return false
  }
}

/** Writes until not a byte more fits. */
function fill(file: string): void {
  const filler = openSync(file, 'w')
  let [size, left] = [megabyte.length, 1_000]
  try {
    while (size > 0 && left > 0) {
      try {
        left -= 1
        writeSync(filler, megabyte, 0, size)
      } catch {
        size = Math.floor(size / 16)
      }
    }
  } finally {
    closeSync(filler)
  }
}

describe('a disk that is full', () => {
  test('keeps no part of a certificate', async ({ skip }) => {
    const disk = join(home, 'small')
    if (!mount(disk)) skip('this user may not mount a file system')
    fill(join(disk, 'filler'))
    await expect(ensureLocalAuthority(join(disk, 'tls'), [])).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(readdirSync(join(disk, 'tls'))).toEqual([])
  })

  // Updating a row on an existing page succeeds on a full disk: only a write that needs room fails.
  test('is not ready, and is ready again by itself when there is room', async ({ skip }) => {
    const disk = join(home, 'disk')
    if (!mount(disk)) skip('this user may not mount a file system')
    await openWithCluster(join(disk, 'data'))
    const service = await startService({ home: disk })
    onTestFinished(() => service.end('SIGKILL').then(() => undefined))
    const readiness = async () => (await service.client.call('GET', '/readyz')).status
    const earn = () => service.earn(service.keys.private_key, purchase())
    expect(await readiness()).toBe(200)

    fill(join(disk, 'filler'))
    // The existing pages still have room for some orders; then each request gets a 503.
    await waitFor('an earning to be refused', async () => (await earn()).status === 503)
    // /readyz may still give an old answer: it caches each for a second.
    await waitFor('not to be ready', async () => (await readiness()) === 503)
    expect((await service.client.call('GET', '/healthz')).status).toBe(200)

    rmSync(join(disk, 'filler'))
    await waitFor('/readyz', async () => (await readiness()) === 200)
    dataOf(await earn())
    expect(await service.command(['ledger', 'verify'])).toMatchObject({ code: 0 })
    expect(await service.end('SIGTERM')).toBe(0)
  })

  // The advice did not say which disk.
  test('is named with its path by a start and by the doctor', async ({ skip }) => {
    const disk = join(home, 'named')
    if (!mount(disk)) skip('this user may not mount a file system')
    const { path, secretKey } = await openWithCluster(join(disk, 'data'))
    fill(join(disk, 'filler'))
    const said = async (...args: string[]) => nuqta([...args, '--data-dir', path], { cwd: home })
    const sentence = `The embedded PostgreSQL in ${path}/postgres did not start: the disk is full; free some space and start again.`
    expect(await said('serve', '--port', '0')).toMatchObject({ code: 1, stderr: `${sentence}\n` })
    const { json } = await said('doctor', '--json')
    expect(json).toContainEqual({
      ...{ check: 'disk', ok: false, detail: `0.0 GiB free for ${path}` },
      advice: 'Make room on its disk: the database stops taking orders when it is full.',
    })
    expect(json).toContainEqual({ check: 'database', ok: false, detail: 'cannot be used', advice: sentence })
    await expect(writeOwnedFile(secretKey, 'x'.repeat(100_000))).rejects.toThrow(`'${secretKey}'`)
  })
})

test('a read-only file system is no question of its owner', async ({ skip }) => {
  const disk = join(home, 'read-only')
  if (!mount(disk)) skip('this user may not mount a file system')
  mkdirSync(join(disk, 'data'))
  execFileSync('mount', ['-o', 'remount,ro', disk], { stdio: 'ignore' })
  for (const [data, detail, advice] of [
    [join(disk, 'data'), join(disk, 'data'), 'Mount it for writing, or choose another place with --data-dir.'],
    [join(disk, 'other'), disk, 'Choose another place with --data-dir.'],
  ] as const) {
    const { json } = await nuqta(['doctor', '--json', '--data-dir', data], { cwd: home })
    expect(json).toContainEqual({
      ...{ check: 'data directory', ok: false, detail: `${detail} is on a read-only file system`, advice },
    })
    const started = await nuqta(['serve', '--port', '0', '--data-dir', data], { cwd: home })
    expect(started.stderr).toMatch(
      new RegExp(`^The data directory .*/${basename(data)} is on a read-only file system; choose`),
    )
  }
})
