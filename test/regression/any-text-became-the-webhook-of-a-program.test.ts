import { expect, test } from 'vitest'
import { runningService } from '../cli/command.ts'

// `nuqta program webhook Default --url ftp://…` was stored and never delivered: only the dashboard checked the URL. A text
// that is no URL ended in a stack, as did one that is too long.

const service = runningService()

test.each([
  ['mall.example', 'The url must be a valid URL that begins with https://.'],
  ['ftp://mall.example/nuqta', 'The url must be a valid URL that begins with https://.'],
  ['http://mall.example/nuqta', 'The url must be a valid URL that begins with https://.'],
  ['https:///mall.example/nuqta', 'The url must be a valid URL that begins with https://.'],
  [
    'https://user:word@mall.example/nuqta',
    'The url must not contain a user name or password. Deliveries carry the secret in X-Webhook-Secret.',
  ],
  [`https://mall.example/${'x'.repeat(500)}`, 'The url must not be greater than 500 characters.'],
])('%s is refused by the command, with the reason', async (url, reason) => {
  const refused = await service.run('program', 'webhook', 'Default', '--url', url)
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: `${reason}\n` })
  expect((await service.run('program', 'webhook', 'Default', '--json')).json).toMatchObject([{ url: null }])
})
