import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { invitationMail } from '../../src/features/staff/mails.ts'
import { createBackground } from '../../src/features/staff/reset.ts'
import type { Mail } from '../../src/providers/mail/port.ts'
import { createSmtp } from '../../src/providers/mail/smtp.ts'
import { type SmtpServer, startSmtpServer } from '../support/smtp-server.ts'
import { waitFor } from '../support/wait.ts'

// Mails go to a mail server by SMTP. Whatever it does, sending ends and says how, without naming anybody.

let server: SmtpServer
beforeEach(async () => {
  server = await startSmtpServer()
})
afterEach(() => server.stop())

const mail: Mail = { to: 'sara@shop.example', subject: 'اختر كلمة مرور', text: 'Hello\n.\nBye\n', html: '<p>Hello</p>' }
const smtp = (within_ms?: number) =>
  createSmtp({
    url: server.url,
    from: 'Nuqta <points@nuqta.example>',
    requires_tls: false,
    ...(within_ms === undefined ? {} : { within_ms }),
  })

describe('a mail', () => {
  it('reaches the server with its addresses, its subject and both forms', async () => {
    expect(await smtp().send(mail)).toEqual({ kind: 'sent' })
    const [taken] = server.taken
    expect([taken?.from, taken?.to]).toEqual(['points@nuqta.example', ['sara@shop.example']])
    expect(taken?.headers).toContain('Auto-Submitted: auto-generated')
    expect(taken?.headers.filter((line) => line.startsWith('Subject: =?UTF-8?'))).toHaveLength(1)
    expect(taken?.body).toMatch(/text\/plain/)
    expect(taken?.body).toMatch(/text\/html/)
    expect(taken?.body).toMatch(/^Hello\n\.\nBye$/m)
  })

  it('gets no header and no receiver from somebody’s input', async () => {
    const invited = {
      merchant_name: 'Shop\r\nBcc: spy@evil.example',
      merchant_name_ar: null,
      role: 'support',
      invited_by: 'Boss',
    } as const
    const made = invitationMail('sara@shop.example', 'en', 'https://nuqta.example/dashboard/link#x', invited)
    await smtp().send(made)
    await smtp().send({ ...mail, subject: 'One\r\nBcc: spy@evil.example\r\n\r\nTwo' })
    await smtp().send({ ...mail, to: 'sara@shop.example\r\nRCPT TO:<spy@evil.example>' })
    await smtp().send({ ...mail, to: 'spy@evil.example, sara@shop.example' })
    expect(server.taken).toHaveLength(2)
    for (const { to, headers } of server.taken) {
      expect(to.filter((address) => address.includes('evil'))).toEqual([])
      expect(headers.filter((line) => /^bcc:/i.test(line))).toEqual([])
    }
  })
})

describe('a server', () => {
  it.each([
    ['EHLO', '421 Not now'],
    ['MAIL', '550 <points@nuqta.example> may not send'],
    ['RCPT', '550 <sara@shop.example> is not here'],
    ['DATA', '451 Later'],
    ['CONTENT', '554 This looks like an advertisement to sara@shop.example'],
  ] as const)('that refuses %s is reported by its number, without naming anybody', async (refuse, line) => {
    server.behaviour = { refuse, with: line }
    const outcome = await smtp().send(mail)
    expect(outcome.kind).toBe('refused')
    const reason = outcome.kind === 'refused' ? outcome.reason : ''
    expect(reason).not.toMatch(/@|sara|nuqta/)
    if (refuse !== 'EHLO') expect(reason).toContain(line.slice(0, 3))
    server.behaviour = undefined
    expect(await smtp().send(mail)).toEqual({ kind: 'sent' })
  })

  it.each(['CONNECT', 'EHLO', 'RCPT', 'CONTENT'] as const)('that never answers %s is given up', async (hang) => {
    server.behaviour = { hang }
    expect(await smtp(200).send(mail)).toMatchObject({ kind: 'refused' })
    await waitFor('the connection to be closed', () => server.connections() === 0)
  })

  it('that is away is a refusal', async () => {
    await server.stop()
    expect(await smtp().send(mail)).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/^E[A-Z]+/) })
    server = await startSmtpServer()
  })

  it('gets two mails at once, and no third behind them', async () => {
    server.behaviour = { hang: 'MAIL' }
    const sender = smtp(500)
    const both = [sender.send(mail), sender.send(mail)]
    expect(await sender.send(mail)).toEqual({
      kind: 'refused',
      reason: 'the mail server has not finished earlier mails',
    })
    await Promise.all(both)
  })
})

it('reports too many waiting mails', async () => {
  const dropped: string[] = []
  const background = createBackground(
    () => undefined,
    () => dropped.push('dropped'),
  )
  const gate = Promise.withResolvers<void>()
  for (let count = 0; count < 52; count += 1) background.add(() => gate.promise)
  expect(dropped).toHaveLength(2)
  gate.resolve()
  await background.idle()
})
