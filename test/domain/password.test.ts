import { describe, expect, it } from 'vitest'
import { readEmail } from '../../src/domain/email.ts'
import { passwordProblem } from '../../src/domain/password.ts'
import { hasEnded, secondFactors, sessionTimes } from '../../src/domain/sign-in.ts'
import { shortBrowser } from '../../src/domain/user-agent.ts'

const whose = { email: 'sara.alqahtani@shop.example', name: 'Sara Alqahtani' }

describe('a password', () => {
  it.each([
    ['elevenchars', 'too_short'],
    ['x'.repeat(201), 'too_long'],
    ['password1234', 'common'],
    ['P@ssw0rd1234', 'common'],
    ['Password2024!', 'common'],
    ['AlHilal2024!!', 'common'],
    ['Riyadh@2030!!', 'common'],
    ['123456789012', 'common'],
    ['qwertyuiop[]', 'common'],
    ['1qaz2wsx3edc', 'common'],
    ['iloveyou12345', 'common'],
    ['khaled12345678', 'common'],
    ['aaaaaaaaaaaa', 'common'],
    ['abcabcabcabc', 'common'],
    ['welcome123welcome', 'common'],
    ['correct horse battery staple', 'common'],
    ['مرحبا محمد احمد', 'common'],
    ['sara.alqahtani1', 'personal'],
    ['Nuqta-Nuqta-2026', 'personal'],
  ])('%s is refused: %s', (password, problem) => {
    expect(passwordProblem(password, whose)).toBe(problem)
  })

  it.each([
    'tuesday morning rain on tin',
    'kettle grants',
    'vK3#pq9LmZ2x',
    'purple elephant dancing',
    'طقس جميل في الصباح',
  ])('%s is accepted', (password) => {
    expect(passwordProblem(password, whose)).toBeNull()
  })

  it('is bounded in characters, not in bytes', () => {
    expect(passwordProblem('ط'.repeat(11), whose)).toBe('too_short')
  })
})

describe('an e-mail address', () => {
  it.each([
    [' Sara@Shop.Example ', 'sara@shop.example'],
    ['a+b@c.de', 'a+b@c.de'],
  ])('%s is read as %s', (typed, email) => {
    expect(readEmail(typed)).toBe(email)
  })

  it.each([
    '',
    'sara',
    'sara@',
    '@shop.example',
    'sara@shop',
    'a b@shop.example',
    'a@b@c.de',
    'سارة@shop.example',
    'a..b@c.de',
  ])('%s is none', (typed) => {
    expect(readEmail(typed)).toBeNull()
  })

  it('is at most 254 characters long', () => {
    expect(readEmail(`a@${'b.'.repeat(126)}de`)).toBeNull()
  })
})

describe('a sign-in by password', () => {
  it.each([
    [{ totp: false, passkeys: 0, recovery_codes: 0 }, []],
    [{ totp: false, passkeys: 0, recovery_codes: 4 }, []],
    [{ totp: true, passkeys: 0, recovery_codes: 0 }, ['totp']],
    [{ totp: true, passkeys: 2, recovery_codes: 9 }, ['totp', 'passkey', 'recovery_code']],
    [{ totp: false, passkeys: 1, recovery_codes: 1 }, ['passkey', 'recovery_code']],
  ])('of an account with %o is followed by one of %o', (factors, methods) => {
    expect(secondFactors(factors)).toEqual(methods)
  })
})

describe('a session', () => {
  const begun = new Date('2026-05-01T08:00:00Z')
  const later = (ms: number) => new Date(begun.getTime() + ms)
  const of = (seen_ms: number) => ({ seen_at: later(seen_ms), expires_at: later(sessionTimes.longest_ms) })

  it('ends after twelve hours without a request, and after thirty days whatever happens', () => {
    expect(hasEnded(of(0), later(sessionTimes.idle_ms - 1))).toBe(false)
    expect(hasEnded(of(0), later(sessionTimes.idle_ms))).toBe(true)
    const last = sessionTimes.longest_ms - 1
    expect(hasEnded(of(last), later(last))).toBe(false)
    expect(hasEnded(of(last), later(last + 1))).toBe(true)
  })
})

describe('the list of sessions', () => {
  it.each([
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36',
      'Chrome, Linux',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Safari/604.1',
      'Safari, iPhone',
    ],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox, Windows'],
    ['something else', null],
    [undefined, null],
  ])('names %s as %s', (header, short) => {
    expect(shortBrowser(header)).toBe(short)
  })
})
