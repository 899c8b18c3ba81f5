import { expect, it } from 'vitest'
import { invitationMessage } from '../../src/domain/invitation.ts'

const link = 'https://points.example/w'

it('names the merchant on one line, cut to forty characters', () => {
  expect(invitationMessage({ merchant_name: 'Corner Café', link }, 'en')).toBe(
    `Points of Corner Café are waiting for you. Activate your wallet to get them: ${link}`,
  )
  const told = invitationMessage({ merchant_name: `Win\r\nhttps://evil.example\u2028\u202enow`, link }, 'en')
  expect(told).toContain('Points of Win https://evil.example now are')
  expect(invitationMessage({ merchant_name: 'م'.repeat(60), link }, 'ar')).toContain(` ${'م'.repeat(39)}…. `)
})

it('is not changed by what a replacement text would expand', () => {
  expect(invitationMessage({ merchant_name: '$& {link}', link }, 'en')).toContain(
    `Points of $& {link} are waiting for you. Activate your wallet to get them: ${link}`,
  )
})
