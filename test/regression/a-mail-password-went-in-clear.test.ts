import { expect, test } from 'vitest'
import { ConfigError, loadConfig } from '../../src/config/config.ts'
import { createSmtp } from '../../src/providers/mail/smtp.ts'
import { production } from '../support/production.ts'
import { startSmtpServer } from '../support/smtp-server.ts'

// `smtp://` used STARTTLS only if the server offered it. Whoever sat between the two could remove the offer, and then read the
// password of the mail server and the links in the mails.

const from = 'Nuqta <points@nuqta.example>'
const mail = { to: 'sara@shop.example', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }

test('a server that offers no STARTTLS gets neither the password nor a mail where TLS is required', async () => {
  const server = await startSmtpServer()
  const url = server.url.replace('//', '//user:password@')
  try {
    expect(await createSmtp({ url, from, requires_tls: true }).send(mail)).toEqual({
      kind: 'refused',
      reason: 'the mail server refused STARTTLS 502 (docs/staff.md#mail)',
    })
    expect(server.commands).toEqual(['EHLO', 'STAR'])
    expect(await createSmtp({ url, from, requires_tls: false }).send(mail)).toEqual({ kind: 'sent' })
    expect(server.commands).toContain('AUTH')
  } finally {
    await server.stop()
  }
})

function read(url: string, environment: Readonly<Record<string, string>> = {}) {
  return loadConfig({ env: { ...environment, NUQTA_SMTP_URL: url, NUQTA_MAIL_FROM: from }, cwd: '/' }).mail
}

test.each([
  ['smtp://mail.example.com:587', false, true],
  ['smtp://user:password@mail.example.com:587', true, true],
  ['smtp://10.0.0.8:25', false, true],
  ['smtp://relay.internal:25?requireTLS=false', false, false],
  ['smtp://user:password@relay.internal?requireTLS=false', false, false],
  ['smtp://mail.example.com?requireTLS=true', true, true],
  ['smtp://127.0.0.1:25', false, false],
  ['smtp://user:password@localhost', false, false],
  ['smtp://[::1]:25', false, false],
  ['smtp://127.0.0.1:25?requireTLS=true', true, true],
] as const)('%s requires TLS in a sandbox: %s, and in production: %s', (url, sandbox, real) => {
  expect(read(url)?.requires_tls).toBe(sandbox)
  expect(read(url, production)?.requires_tls).toBe(real)
})

test.each(['requireTLS', 'requireTLS=no', 'requireTLS=0'])(
  '%s is a mistake: the package would take it for something',
  (parameter) => {
    const reading = () => read(`smtp://relay.internal?${parameter}`)
    expect(reading).toThrow(ConfigError)
    expect(reading).toThrow('NUQTA_SMTP_URL must end in requireTLS=true or requireTLS=false, where it has requireTLS')
  },
)
