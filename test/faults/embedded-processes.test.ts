import { chmod, chown, copyFile, cp, mkdir, mkdtemp, readdir, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openWithCluster } from '../support/fresh-cluster.ts'
import { giveTo, installPackage, isRoot, linksIn, nobody } from './installation.ts'
import { groupOf, isRunning, query, type Runner, startHolder, waitForEnd, watchdogOf } from './processes.ts'

let root = ''
beforeEach(async () => {
  // A private folder with a space in its name, like the home of root and the folders of many people.
  root = await mkdtemp(join(tmpdir(), 'nuqta home '))
  // Register this hook first, so that it runs last: after the servers have stopped.
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 3 }))
})

// Root runs everything as root and as an ordinary user, from an installation of that user's; others as themselves.
describe.each(isRoot ? ['root', 'nobody'] : ['themselves'])('in processes run by %s', (who) => {
  let place = ''
  let path = ''
  let installed = ''
  let runner: Runner = {}

  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'nuqta install '))
    path = join(place, 'home', 'data')
    await mkdir(join(place, 'home'), { mode: 0o700 })
    if (who !== 'nobody') return void (await openWithCluster(path))
    installed = await installPackage(place)
    const repository = fileURLToPath(new URL('../../', import.meta.url))
    for (const file of [
      'src/config/data-directory.ts',
      'src/db/embedded.ts',
      'src/db/embedded',
      'src/domain/spans.ts',
      'src/lib/errors.ts',
      'src/lib/folder.ts',
      'src/lib/owned-file.ts',
      'src/lib/part-file.ts',
      'test/faults/holder.ts',
    ])
      await cp(join(repository, file), join(place, file), { recursive: true })
    await writeFile(join(place, 'package.json'), '{"type":"module"}')
    await copyFile(process.execPath, join(place, 'node'))
    await giveTo(place, nobody)
    runner = { ...nobody, node: join(place, 'node'), script: join(place, 'test/faults/holder.ts') }
  })
  afterAll(() => rm(place, { recursive: true, force: true, maxRetries: 3 }))

  test('kill -9 of the process ends the database, and nothing committed is lost, also by a start right after it', async () => {
    const holder = await startHolder('serve', path, runner)
    const { connection, postmaster = 0 } = holder.said
    await query(connection ?? {}, 'create table kept as select 42 as value')
    expect(isRunning(postmaster)).toBe(true)
    await holder.kill()
    await waitForEnd(postmaster)
    let next = await startHolder('serve', path, runner)
    expect(await query(next.said.connection ?? {}, 'select value from kept')).toEqual([{ value: 42 }])
    // It takes over from the server that is still there.
    for (let round = 0; round < 3; round++) {
      await next.kill()
      next = await startHolder('serve', path, runner)
      expect(next.said.error).toBeUndefined()
      expect(await query(next.said.connection ?? {}, 'select value from kept')).toEqual([{ value: 42 }])
    }
    await next.release()
    expect(isRunning(next.said.postmaster ?? 0)).toBe(false)
  })

  test('a database whose watchdog was killed too is ended by the next start', async () => {
    const holder = await startHolder('serve', path, runner)
    const { postmaster = 0 } = holder.said
    const watchdog = await watchdogOf(postmaster)
    process.kill(watchdog, 'SIGKILL')
    await waitForEnd(watchdog)
    await holder.kill()
    expect(isRunning(postmaster)).toBe(true)
    const next = await startHolder('serve', path, runner)
    expect(isRunning(postmaster)).toBe(false)
    expect(await query(next.said.connection ?? {}, 'select 1 as one')).toEqual([{ one: 1 }])
    await next.release()
  })

  test('Ctrl-C in the terminal reaches the process and not its database; a second serve is refused at once, and commands find the first', async () => {
    const holder = await startHolder('serve', path, runner)
    const { pid } = holder.process
    const interrupted = holder.next()
    process.kill(-(pid ?? 0), 'SIGINT')
    expect(await interrupted).toEqual({ interrupted: true })
    expect(await groupOf(holder.said.postmaster ?? 0)).not.toBe(pid)
    expect(await query(holder.said.connection ?? {}, 'select 1 as one')).toEqual([{ one: 1 }])

    const second = await startHolder('serve', path, runner)
    expect(second.said).toEqual({ locked: false })
    const command = await startHolder('attach', path, runner)
    expect(command.said.connection).toEqual(holder.said.connection)
    expect(await query(command.said.connection ?? {}, 'select current_user as me')).toEqual([{ me: 'nuqta_owner' }])
    await command.release()
    expect(isRunning(holder.said.postmaster ?? 0)).toBe(true)
    await Promise.all([holder.release(), second.release()])
  })

  if (who === 'nobody') {
    test('the same from a node_modules of another user, which cannot be written', async () => {
      await giveTo(installed, { uid: 0, gid: 0 })
      for (const name of await linksIn(installed)) await unlink(join(installed, 'native', 'lib', name))
      const holder = await startHolder('serve', path, runner)
      await giveTo(installed, nobody)
      expect(holder.said.error).toBeUndefined()
      expect(await query(holder.said.connection ?? {}, 'select 1 as one')).toEqual([{ one: 1 }])
      expect(await readdir(join(path, 'binaries'))).toHaveLength(1)
      await holder.release()
    })

    test('a user id without a name is refused, and the error says that it needs one', async () => {
      const unnamed = { uid: 54_321, gid: 54_321 }
      await chown(root, unnamed.uid, unnamed.gid)
      await chmod(place, 0o755)
      const holder = await startHolder('serve', join(root, 'data'), { ...runner, ...unnamed })
      expect(holder.said.name).toBe('EmbeddedError')
      expect(holder.said.error).toMatch(/this user id has no name on this machine; give it one in \/etc\/passwd/)
      await holder.release()
      expect(await readdir(join(root, 'data'))).not.toContain('postgres')
    })

    test('root takes over a cluster that an ordinary user made, and leaves it to that user', async () => {
      const first = await startHolder('serve', path, runner)
      await first.release()
      const asRoot = await startHolder('serve', path)
      expect(await query(asRoot.said.connection ?? {}, 'select 1 as one')).toEqual([{ one: 1 }])
      await asRoot.release()
      const third = await startHolder('serve', path, runner)
      expect(third.said.error).toBeUndefined()
      await third.release()
    })
  }
})
