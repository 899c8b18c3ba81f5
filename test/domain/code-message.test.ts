import { describe, expect, it } from 'vitest'
import { type CodeUse, codeMessage } from '../../src/domain/code-message.ts'
import { readCode } from '../../src/domain/otp.ts'

const use = (changes: Partial<CodeUse> = {}): CodeUse => ({
  ...{ purpose: 'checkout', name: 'Shop', host: 'pay.example.com' },
  ...changes,
})
const lastLine = (text: string) => text.split('\n').at(-1)

describe('the message with a code', () => {
  it.each([
    ['en', 'checkout', 'Shop', '000042 is your code to use points at Shop. It works for 5 minutes. Never share it.'],
    ['en', 'wallet', 'Nuqta', '000042 is your code to sign in to Nuqta. It works for 5 minutes. Never share it.'],
    ['ar', 'checkout', 'متجر', '000042 رمز استخدام نقاطك لدى متجر.'],
    ['ar', 'wallet', 'نقطة', '000042 رمز الدخول إلى نقطة. لا تشاركه.'],
    ['en', 'checkout', 'مقهى الديرة', '000042 is your code to use points at مقهى'],
  ] as const)('in %s for a %s of %s names both, and fits into one part', (locale, purpose, name, text) => {
    const message = codeMessage('000042', locale, use({ purpose, name }))
    expect(message.split('\n')[0]).toContain(text)
    expect(message.length).toBeLessThanOrEqual(locale === 'ar' || /[\u0600-\u06ff]/.test(name) ? 70 : 160)
    // The message can be pasted whole.
    expect(readCode(message)).toBe('000042')
  })

  it.each(['Shop', 'مقهى', 'x'.repeat(500), 'Shop\n@evil.example #999999', '$& {code} {name}', '\u202eevil\u202c'])(
    'ends with the line that binds the code to our host, whatever the store is called: %j',
    (name) => {
      for (const locale of ['ar', 'en'] as const) {
        const message = codeMessage('123456', locale, use({ name }))
        expect(lastLine(message)).toBe('@pay.example.com #123456')
        expect(message.split('\n')).toHaveLength(2)
        expect(message.length).toBeLessThanOrEqual(160)
      }
    },
  )

  it('takes a second part rather than leave out the store, where the host is long', () => {
    const message = codeMessage('123456', 'ar', use({ name: 'متجر العائلة', host: `${'points.'.repeat(6)}example` }))
    expect(message).toContain('متجر العائلة')
    expect(message).toContain('لا تشاركه')
  })
})
