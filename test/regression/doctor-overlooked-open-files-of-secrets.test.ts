import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { checkSecretFiles } from '../../src/doctor/secret-files.ts'
import { nuqta } from '../cli/command.ts'

// What went wrong: `nuqta doctor` looked at the mode of the data directory only. It did not see that everybody on the machine
// could read the passwords in `.env`, or the file of a key.

const folder = mkdtempSync(join(tmpdir(), 'nuqta secrets '))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => chmodSync(folder, 0o755))

const secret_key = 's'.repeat(64)
const closed = [{ check: 'secret files', ok: true, detail: 'closed to others' }]

function file(name: string, text: string, mode: number): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

/** What the doctor says of secrets where `.env` has this text and mode. */
async function secretFilesOf(dotEnv: string, mode: number, env: Record<string, string> = {}) {
  file('.env', dotEnv, mode)
  const { json } = await nuqta(['doctor', '--json', '--data-dir', join(folder, 'data')], { cwd: folder, env })
  return json.filter(({ check }) => check === 'secret files')
}

describe('the settings in .env', () => {
  it.each([
    `NUQTA_SECRET_KEY=${secret_key}`,
    'NUQTA_SMS_KEY=1234',
    'NUQTA_SMTP_URL=smtps://user:password@mail.example.com',
    'NUQTA_WEBHOOK_PROXY=http://:password@proxy.example.com:3128',
  ])('%s is open to everybody', async (line) => {
    expect(await secretFilesOf(line, 0o644)).toEqual([
      {
        check: 'secret files',
        ok: false,
        detail: `${join(folder, '.env')} is open to everybody`,
        advice: expect.stringContaining('Close it: chmod '),
      },
    ])
    expect(await secretFilesOf(line, 0o600)).toEqual(closed)
  })

  it('may be read by all where they hold no secret', async () => {
    const lines = ['NUQTA_PORT=8443', 'NUQTA_WEBHOOK_PROXY=http://proxy.example.com:3128', 'NUQTA_TLS_CERT=tls.crt']
    expect(await secretFilesOf(lines.join('\n'), 0o644)).toEqual([])
  })
})

it('files that settings name are examined, and each is listed with what to do', async () => {
  const key = file('secret_key', secret_key, 0o644)
  const tls = file('tls.key', 'a key', 0o604)
  const cert = file('tls.crt', 'a certificate', 0o644)
  const env = { NUQTA_TLS_KEY: tls, NUQTA_TLS_CERT_FILE: cert }
  const [found] = await secretFilesOf(`NUQTA_SECRET_KEY_FILE=secret_key`, 0o644, env)
  expect(found).toMatchObject({ ok: false, detail: `${tls} is open to everybody; ${key} is open to everybody` })
})

describe('a file of', () => {
  it('another user may be read by its group, and changed by nobody', async () => {
    expect(await checkSecretFiles([file('group', 'x', 0o640)], 12_345)).toEqual(closed)
    expect(await checkSecretFiles([file('group', 'x', 0o660)], 12_345)).toMatchObject([
      { ok: false, detail: expect.stringContaining('is open to its group'), advice: expect.stringContaining('g-w,o=') },
    ])
  })

  it('this user may be read by nobody else', async () => {
    const path = file('own', 'x', 0o640)
    const uid = process.getuid?.() || 12_345
    if (process.getuid?.() === 0) chownSync(path, uid, uid)
    expect(await checkSecretFiles([path], uid)).toMatchObject([
      { ok: false, detail: expect.stringContaining('is open to its group'), advice: expect.stringContaining('go=') },
    ])
  })
})

it('a file in a folder that others cannot enter is closed', async () => {
  const inner = join(folder, 'inner')
  mkdirSync(inner)
  chmodSync(inner, 0o700)
  expect(await checkSecretFiles([file('inner/key', 'x', 0o644)])).toEqual(closed)
  chmodSync(inner, 0o755)
  expect(await checkSecretFiles([file('inner/key', 'x', 0o644)])).toMatchObject([{ ok: false }])
})

it('the advice can be pasted into a shell, also where a path has a space', async () => {
  const path = file("the owner's key", 'x', 0o666)
  const [found] = await checkSecretFiles([path])
  execFileSync('sh', ['-c', String(found?.advice).replace('Close it: ', '')])
  expect(await checkSecretFiles([path])).toEqual(closed)
  const data = join(folder, 'the data')
  mkdirSync(data, { mode: 0o755 })
  const { json } = await nuqta(['doctor', '--json', '--data-dir', data], { cwd: folder })
  const advice = `Close it: chmod 700 '${data}'`
  expect(json).toContainEqual(expect.objectContaining({ check: 'data directory', ok: false, advice }))
})
