import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { call, nuqta, readClientEnv, scratch, serveHere } from '../cli/command.ts'
import { testDatabase } from '../support/database.ts'
import { openWithCluster } from '../support/fresh-cluster.ts'

// What went wrong: with a wrong NUQTA_SECRET_KEY the service was ready and the doctor content, and deliveries failed one by one.
// There was no way to change the key either.

const { path: cwd } = scratch()
describe('the key of an embedded database', () => {
  const key = () => join(cwd, 'data/secret.key')

  test('is changed while nothing runs, also after an interruption; another one is refused and named', async () => {
    await openWithCluster(join(cwd, 'data'))
    const served = await serveHere({ cwd })
    const client = readClientEnv(join(cwd, 'data/sandbox.env'))
    const body = { name: 'w', url: 'http://127.0.0.1:9/' }
    expect(await call(client, { path: '/api/v1/webhooks', key: client.NUQTA_PRIVATE_KEY, body })).toMatchObject({
      status: 200,
    })
    const beside = await nuqta(['secrets', 'rotate'], { cwd })
    expect(beside).toMatchObject({ code: 1, stdout: '' })
    expect(beside.stderr).toContain('stop it')
    await served.stop()

    const before = readFileSync(key(), 'utf8')
    const rotated = await nuqta(['secrets', 'rotate', '--json'], { cwd })
    expect(rotated).toMatchObject({ code: 0, json: [{ resealed: 1 }] })
    const after = readFileSync(key(), 'utf8')
    expect(after).not.toBe(before)
    // Limits look back a day, and forms and codes may use either key: keep the former key for a day.
    expect(readFileSync(`${key()}.old`, 'utf8')).toBe(before)

    // The state after a crash in the middle: the next key is in place, and the former one beside it.
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
    // After a day the next start removes it.
    utimesSync(`${key()}.old`, yesterday, yesterday)
    await (await serveHere({ cwd })).stop()
    expect(existsSync(`${key()}.old`)).toBe(false)

    // If the key is lost or belongs to another deployment, the service refuses to start and creates no new key.
    writeFileSync(key(), before)
    await expect(serveHere({ cwd })).rejects.toThrow('The secret key is not the one of this database')
    const doctor = (await nuqta(['doctor', '--json'], { cwd })).json
    expect(doctor).toContainEqual(expect.objectContaining({ check: 'secret key', ok: false }))
    rmSync(key())
    await expect(serveHere({ cwd })).rejects.toThrow('is missing, and secrets are stored under it')
    expect(existsSync(key())).toBe(false)
  })
})

describe('the key of an external database', () => {
  const database = testDatabase()

  test('is changed by both settings; a wrong one is refused by serve, doctor and whatever would seal', async () => {
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
    const served = await serveHere({ cwd, env: env(old_key) })
    const client = readClientEnv(join(cwd, 'external/sandbox.env'))
    const body = { name: 'w', url: 'http://127.0.0.1:9/' }
    const { data } = (await call(client, { path: '/api/v1/webhooks', key: client.NUQTA_PRIVATE_KEY, body })).body
    await served.stop()

    const wrong = { cwd, env: env(new_key) }
    await expect(serveHere(wrong)).rejects.toThrow('The secret key is not the one of this database')
    const doctor = await nuqta(['doctor', '--json'], wrong)
    expect(doctor.code).toBe(1)
    expect(doctor.json).toContainEqual(expect.objectContaining({ check: 'secret key', ok: false }))
    expect(await nuqta(['webhooks', 'rotate', String(data?.['uuid'])], wrong)).toMatchObject({ code: 1 })
    expect((await nuqta(['secrets', 'rotate'], wrong)).stderr).toContain('NUQTA_SECRET_KEY_OLD')

    const changing = { cwd, env: env(new_key, old_key) }
    const meanwhile = await serveHere(changing)
    expect(await nuqta(['secrets', 'rotate', '--json'], changing)).toMatchObject({ code: 0, json: [{ resealed: 1 }] })
    await meanwhile.stop()

    await (await serveHere({ cwd, env: env(new_key) })).stop()
    await expect(serveHere({ cwd, env: env(old_key) })).rejects.toThrow(
      'The secret key is not the one of this database',
    )
  })
})
