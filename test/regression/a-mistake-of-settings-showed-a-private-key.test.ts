import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { makeCertificate, mistakesOf } from '../support/settings.ts'

// `openssl pkcs12` writes lines of its own above a private key. With such a text as `NUQTA_TLS_KEY`, the service took it for
// the path of a file, and showed the whole key among the mistakes: on the terminal, in the journal, in the output of `doctor`.

let folder: string
let pem: { readonly cert: string; readonly key: string }
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nuqta config '))
  const files = makeCertificate(folder, 'tls')
  pem = { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const sources = (env: Readonly<Record<string, string>>) => ({ env, cwd: folder })

test('a key and a certificate may have other lines above them', () => {
  const above = 'Bag Attributes\n    localKeyID: DE D4 79 3B\nKey Attributes: <No Attributes>\n'
  const { tls } = loadConfig(sources({ NUQTA_TLS_CERT: above + pem.cert, NUQTA_TLS_KEY: above + pem.key }))
  expect(tls?.key).toContain('PRIVATE KEY-----')
})

test.each([
  ['a key without its first line', 'NUQTA_TLS_KEY', () => pem.key.replace(/^.*\n/, '')],
  ['a key on one line', 'NUQTA_TLS_KEY', () => pem.key.split('\n').slice(1, -2).join('')],
  ['the secret key', 'NUQTA_SECRET_KEY_FILE', () => '0123456789abcdef'.repeat(4)],
  ['a connection string', 'DATABASE_URL_FILE', () => 'postgresql://nuqta:password@db/nuqta'],
])('the place of a file does not show %s', (_, name, secret) => {
  const found = mistakesOf(sources({ NUQTA_TLS_CERT: pem.cert, NUQTA_TLS_KEY: pem.key, [name]: secret() }))
  expect(found).toContainEqual(expect.stringMatching(`^${name} names a file that cannot be read: it is not shown here`))
  expect(found.join()).not.toContain(secret().slice(0, 8))
})

test.each([
  '/run/secrets/the-secret-key-of-the-points-service',
  './key',
  '../secrets/key',
  'tls/points.example.com.key',
])('the path %s is shown', (path) => {
  expect(mistakesOf(sources({ NUQTA_SECRET_KEY_FILE: path }))).toEqual([
    `NUQTA_SECRET_KEY_FILE names a file that cannot be read: ${path} (ENOENT)`,
  ])
})
