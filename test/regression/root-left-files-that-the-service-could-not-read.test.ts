import { chownSync, mkdirSync, mkdtempSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockDataDirectory, openDataDirectory } from '../../src/config/data-directory.ts'
import { replaceSandboxKeys } from '../../src/features/deployment/sandbox.ts'
import { ensureLocalAuthority } from '../../src/http/transport/server-certificate.ts'
import { ensureSecretKey } from '../../src/lib/secrets.ts'
import { isRoot } from '../faults/installation.ts'

// What went wrong: root ran `nuqta secrets rotate` on the data directory of the service's user. The new secret.key belonged to
// root, and the service could not start. `keys regenerate` did the same to sandbox.env.

const uid = 12_345

/** Everything below a folder with its owner. */
const ownersIn = (path: string) =>
  Object.fromEntries(
    readdirSync(path, { recursive: true }).map((name) => [name, statSync(join(path, String(name))).uid]),
  )

async function madeIn(owner: number) {
  const path = mkdtempSync(join(tmpdir(), 'owned-'))
  writeFileSync(join(path, 'sandbox.env'), "NUQTA_PUBLIC_KEY='pk_test_before'\n")
  chownSync(join(path, 'sandbox.env'), owner, owner)
  chownSync(path, owner, owner)
  const dir = await openDataDirectory(path)
  await (await lockDataDirectory(dir))?.release()
  await ensureSecretKey(dir.secretKey)
  await replaceSandboxKeys(dir.sandboxEnv, 'pk_test_before', { public_key: 'pk_test_a', private_key: 'sk_test_a' })
  await ensureLocalAuthority(dir.tls, [])
  return ownersIn(path)
}

const names = [
  'lock',
  'sandbox.env',
  'secret.key',
  'tls',
  'tls/ca.key',
  'tls/ca.pem',
  'tls/server.key',
  'tls/server.pem',
]

test.skipIf(!isRoot)('what root makes in a folder of another user belongs to that user', async () => {
  expect(await madeIn(uid)).toEqual(Object.fromEntries(names.map((name) => [name, uid])))
})

test('what a user makes in a folder of its own belongs to it', async () => {
  const own = process.getuid?.() ?? 0
  expect(await madeIn(own)).toEqual(Object.fromEntries(names.map((name) => [name, own])))
})

test.skipIf(!isRoot)('a link is not followed to what root has elsewhere', async () => {
  const [path, elsewhere] = [mkdtempSync(join(tmpdir(), 'owned-')), mkdtempSync(join(tmpdir(), 'owned-'))]
  mkdirSync(join(elsewhere, 'tls'), { mode: 0o700 })
  symlinkSync(join(elsewhere, 'tls'), join(path, 'tls'))
  chownSync(path, uid, uid)
  await ensureLocalAuthority(join(path, 'tls'), [])
  expect(statSync(join(elsewhere, 'tls')).uid).toBe(0)
})
