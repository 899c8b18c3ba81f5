import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { call, nuqta, readClientEnv, scratch, serve } from '../cli/command.ts'
import { testDatabase } from '../support/database.ts'

// What went wrong: with a wrong NUQTA_SECRET_KEY the service was ready and the doctor content, and deliveries failed one by one.
// There was no way to change the key either. As an operator meets it: the real commands, in processes of their own.

const { path: cwd } = scratch()
/** Processes start one after the other, each taking its time on a busy machine. */
const patience_ms = 600_000

describe('the key of an embedded database', () => {
  const key = () => join(cwd, 'data/secret.key')

  test(
    'is changed while nothing runs, also after an interruption; another one is refused and named',
    async () => {
      const served = await serve([], { cwd })
      const client = readClientEnv(join(cwd, 'data/sandbox.env'))
      const body = { name: 'w', url: 'http://127.0.0.1:9/' }
      expect(await call(client, { path: '/api/v1/webhooks', key: client.NUQTA_PRIVATE_KEY, body })).toMatchObject({
        status: 200,
      })
      const beside = await nuqta(['secrets', 'rotate'], { cwd })
      expect(beside).toMatchObject({ code: 1, stdout: '' })
      expect(beside.stderr).toContain('stop it')
      expect(await served.end('SIGTERM')).toBe(0)

      const before = readFileSync(key(), 'utf8')
      const rotated = await nuqta(['secrets', 'rotate', '--json'], { cwd })
      expect(rotated).toMatchObject({ code: 0, json: [{ resealed: 1 }] })
      const after = readFileSync(key(), 'utf8')
      expect(after).not.toBe(before)
      // Limits look back a day, and forms and codes are under either: the former key counts as long.
      expect(readFileSync(`${key()}.old`, 'utf8')).toBe(before)

      // As a crash in the middle leaves it: a next key that is in place, and the former beside it.
      writeFileSync(`${key()}.old`, after, { mode: 0o600 })
      writeFileSync(`${key()}.next`, `${'5'.repeat(64)}\n`, { mode: 0o600 })
      const again = await nuqta(['secrets', 'rotate', '--json'], { cwd })
      expect(again).toMatchObject({ code: 0, json: [{ resealed: 1 }] })
      expect(readFileSync(key(), 'utf8')).toBe(`${'5'.repeat(64)}\n`)
      expect([`${key()}.old`, `${key()}.next`].map((file) => existsSync(file))).toEqual([true, false])

      // There is room for one former key: a second change waits for a day.
      const soon = await nuqta(['secrets', 'rotate', '--json'], { cwd })
      expect(soon).toMatchObject({ code: 1, stdout: '' })
      expect(soon.stderr).toContain('less than a day ago')
      expect(readFileSync(`${key()}.old`, 'utf8')).toBe(after)
      const yesterday = new Date(Date.now() - 90_000_000)
      utimesSync(`${key()}.old`, yesterday, yesterday)
      expect(await nuqta(['secrets', 'rotate', '--json'], { cwd })).toMatchObject({ code: 0, json: [{ resealed: 1 }] })
      expect(readFileSync(`${key()}.old`, 'utf8')).toBe(`${'5'.repeat(64)}\n`)
      // A day later the next start forgets it.
      utimesSync(`${key()}.old`, yesterday, yesterday)
      expect(await (await serve([], { cwd })).end('SIGTERM')).toBe(0)
      expect(existsSync(`${key()}.old`)).toBe(false)

      // The key is lost, or one of another deployment: nothing is served, and nothing new is made in its place.
      writeFileSync(key(), before)
      await expect(serve([], { cwd })).rejects.toThrow('The secret key is not the one of this database')
      const doctor = (await nuqta(['doctor', '--json'], { cwd })).json
      expect(doctor).toContainEqual(expect.objectContaining({ check: 'secret key', ok: false }))
      rmSync(key())
      await expect(serve([], { cwd })).rejects.toThrow('is missing, and secrets are stored under it')
      expect(existsSync(key())).toBe(false)
    },
    patience_ms,
  )
})

describe('the key of an external database', () => {
  const database = testDatabase()

  test(
    'is changed by both settings; a wrong one is refused by serve, doctor and whatever would seal',
    async () => {
      const [old_key, new_key] = ['the former key, of thirty-two and more', 'the new key, of thirty-two and some more']
      const at = {
        DATABASE_URL: database.url,
        NUQTA_MIGRATION_URL: database.owner_url,
        NUQTA_DATA_DIR: join(cwd, 'external'),
      }
      const env = (secret_key: string, secret_key_old?: string) => ({
        ...at,
        NUQTA_SECRET_KEY: secret_key,
        ...(secret_key_old === undefined ? {} : { NUQTA_SECRET_KEY_OLD: secret_key_old }),
      })
      const served = await serve([], { cwd, env: env(old_key) })
      const client = readClientEnv(join(cwd, 'external/sandbox.env'))
      const body = { name: 'w', url: 'http://127.0.0.1:9/' }
      const { data } = (await call(client, { path: '/api/v1/webhooks', key: client.NUQTA_PRIVATE_KEY, body })).body
      expect(await served.end('SIGTERM')).toBe(0)

      const wrong = { cwd, env: env(new_key) }
      await expect(serve([], wrong)).rejects.toThrow('The secret key is not the one of this database')
      const doctor = await nuqta(['doctor', '--json'], wrong)
      expect(doctor.code).toBe(1)
      expect(doctor.json).toContainEqual(expect.objectContaining({ check: 'secret key', ok: false }))
      expect(await nuqta(['webhooks', 'rotate', String(data?.['uuid'])], wrong)).toMatchObject({ code: 1 })
      expect((await nuqta(['secrets', 'rotate'], wrong)).stderr).toContain('NUQTA_SECRET_KEY_OLD')

      const changing = { cwd, env: env(new_key, old_key) }
      const meanwhile = await serve([], changing)
      expect(await nuqta(['secrets', 'rotate', '--json'], changing)).toMatchObject({ code: 0, json: [{ resealed: 1 }] })
      expect(await meanwhile.end('SIGTERM')).toBe(0)

      const done = await serve([], { cwd, env: env(new_key) })
      expect(await done.end('SIGTERM')).toBe(0)
      await expect(serve([], { cwd, env: env(old_key) })).rejects.toThrow(
        'The secret key is not the one of this database',
      )
    },
    patience_ms,
  )
})
