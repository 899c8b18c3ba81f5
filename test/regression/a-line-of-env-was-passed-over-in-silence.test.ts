import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { scratch } from '../cli/command.ts'
import { mistakesOf } from '../support/settings.ts'

// What went wrong: the mark that editors of Windows put at the beginning of a file became a part of the first name in `.env`, and
// a line like `NAME: value` set nothing. Neither was reported: with NUQTA_ENVIRONMENT there, production began as a sandbox.

const { path: cwd } = scratch()

test('a mark at the beginning of .env belongs to no name', () => {
  writeFileSync(join(cwd, '.env'), '\uFEFFNUQTA_LOG_LEVEL=warn\r\nNUQTA_PORT=1001\r\n')
  expect(loadConfig({ env: {}, cwd })).toMatchObject({ log_level: 'warn', port: 1001 })
})

test('a line of .env that names a setting without = is a mistake, which does not show its value', () => {
  const other = '# NUQTA_HOST: a comment\nPATH: /bin\nNUQTA_LOG_LEVEL = warn\nNUQTA_SMS_SENDER="a\nb"\n'
  writeFileSync(
    join(cwd, '.env'),
    `NUQTA_ENVIRONMENT: production\nexport DATABASE_URL postgresql://u:secret@h/db\n${other}`,
  )
  expect(mistakesOf({ env: {}, cwd })).toEqual([
    'NUQTA_ENVIRONMENT is not set by its line in .env: write NUQTA_ENVIRONMENT=value',
    'DATABASE_URL is not set by its line in .env: write DATABASE_URL=value',
  ])
})
