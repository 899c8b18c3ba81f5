import { describe, expect, it } from 'vitest'
import type { Phone } from '../../src/domain/phone.ts'
import { knownProofs, readCookies, rememberProofs, setCookieHeader } from '../../src/http/pages/cookies.ts'
import { newSecretText } from '../../src/lib/ids.ts'
import { isKnown, withProof } from '../../src/lib/known-browser.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { secret_key } from '../support/secret-key.ts'

const secrets = createSecretBox(secret_key)
const [mine, other] = ['512345678', '512345679'] as Phone[] as [Phone, Phone]
const now = new Date('2026-02-01T09:00:00Z')
const later = (days: number, ms = 0) => new Date(now.getTime() + days * 86_400_000 + ms)
const name = newSecretText()
const browser = { name, proofs: withProof(secrets, { name, proofs: undefined }, mine, now) }

describe('a browser is known', () => {
  it('for a phone that was proven in it, for thirty days', () => {
    expect(isKnown(secrets, browser, mine, now)).toBe(true)
    expect(isKnown(secrets, browser, mine, later(30, -1))).toBe(true)
    expect(isKnown(secrets, browser, mine, later(30))).toBe(false)
  })

  it('not for another phone, in another browser, or under another key', () => {
    expect(isKnown(secrets, browser, other, now)).toBe(false)
    expect(isKnown(secrets, { ...browser, name: newSecretText() }, mine, now)).toBe(false)
    expect(isKnown(createSecretBox('another key of the tests, as long as any'), browser, mine, now)).toBe(false)
    expect(isKnown(secrets, undefined, mine, now)).toBe(false)
  })

  it('no longer than that, whatever time a forged proof contains', () => {
    const [, mac] = browser.proofs.split('-')
    const proofs = `${Math.floor(later(29).getTime() / 1_000).toString(36)}-${mac}`
    expect(isKnown(secrets, { name, proofs }, mine, later(29))).toBe(false)
  })

  it.each(['', '.', 'x', `${'a'.repeat(9)}-${'0'.repeat(32)}`, '0-', '-'.repeat(5_000), 'é-é'])(
    'not by %j',
    (proofs) => {
      expect(isKnown(secrets, { name, proofs }, mine, now)).toBe(false)
    },
  )

  it('for the newest five phones, each once', () => {
    const phones = Array.from({ length: 7 }, (_, index) => `51234567${index}` as Phone)
    let proofs: string | undefined
    for (const phone of [...phones, ...phones.slice(5)]) proofs = withProof(secrets, { name, proofs }, phone, now)
    expect(phones.map((phone) => isKnown(secrets, { name, proofs }, phone, now))).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
      true,
    ])
    expect(proofs?.split('.')).toHaveLength(5)
  })
})

it('the cookie names no phone, reads back unchanged, and is hidden from scripts and other hosts', () => {
  const header = setCookieHeader(rememberProofs(browser.proofs))
  expect(header).not.toContain(mine)
  expect(header).toMatch(/^__Host-nuqta-known=[0-9a-z.-]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  expect(knownProofs(readCookies(header.split(';', 1)[0]))).toBe(browser.proofs)
})
