import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSecretBox, ensureSecretKey, SecretError } from '../../src/lib/secrets.ts'

const box = createSecretBox('a key of thirty-two characters or more')
const belongs = ['webhook', 1, 2, 'a']

describe('a sealed secret', () => {
  it('is opened by the same key for the same owner, and has other bytes each time', () => {
    const text = 'whsec_سر'
    const [one, two] = [box.seal(text, belongs), box.seal(text, belongs)]
    expect(one.equals(two)).toBe(false)
    expect([box.open(one, belongs), box.open(two, belongs)]).toEqual([text, text])
    expect(one.includes(Buffer.from('whsec'))).toBe(false)
    expect(createSecretBox('a key of thirty-two characters or more').open(one, belongs)).toBe(text)
    expect(box.open(box.seal('', belongs), belongs)).toBe('')
  })

  it('is opened from a plain byte array too, as a driver gives it', () => {
    expect(box.open(new Uint8Array(box.seal('s', belongs)), belongs)).toBe('s')
  })

  it('is not opened for another owner: a value copied to another row is useless there', () => {
    const sealed = box.seal('secret', belongs)
    for (const other of [['webhook', 1, 2, 'b'], ['webhook', 12, 'a'], ['webhook', 1, 3, 'a'], []])
      expect(() => box.open(sealed, other)).toThrow(SecretError)
  })

  it('is not opened under another key; the error says what to do', () => {
    const other = createSecretBox('another key of thirty-two characters')
    expect(() => other.open(box.seal('secret', belongs), belongs)).toThrow(/NUQTA_SECRET_KEY/)
  })

  it('is not opened when a byte was changed or the end cut off', () => {
    const sealed = box.seal('secret', belongs)
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => box.open(changed, belongs), `byte ${at}`).toThrow(SecretError)
    }
    for (let length = 0; length < sealed.length; length += 1)
      expect(() => box.open(sealed.subarray(0, length), belongs), `${length} bytes`).toThrow(SecretError)
  })
})

describe('the secret key in the data directory', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nuqta-secrets-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('is created once, readable by its owner only, and kept', async () => {
    const path = join(folder, 'secret.key')
    const key = await ensureSecretKey(path)
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(await ensureSecretKey(path)).toBe(key)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('is one key for all processes that start at once, with no file left beside it', async () => {
    const path = join(folder, 'secret.key')
    const keys = await Promise.all(Array.from({ length: 8 }, () => ensureSecretKey(path)))
    expect(new Set(keys).size).toBe(1)
    expect(await readdir(folder)).toEqual(['secret.key'])
  })

  it('is not replaced when the file is damaged, because sealed values could never be opened again', async () => {
    const path = join(folder, 'secret.key')
    await writeFile(path, '\n')
    await expect(ensureSecretKey(path)).rejects.toThrow(/too short: put it back/)
  })
})
