import { hostname } from 'node:os'
import { expect, it } from 'vitest'
import { readHead, renderHead } from '../../src/bench/head.ts'
import { serviceVersion } from '../../src/lib/version.ts'

it('says when, on which machine and with what was measured, and names neither the host nor a folder', async () => {
  const head = await readHead(new Date('2026-01-02T03:04:05.000Z'))
  expect(head).toMatchObject({ date: '2026-01-02T03:04:05.000Z', nuqta: serviceVersion() })
  expect(head.machine).toMatch(/^2026-01-02 · \d+ × .+ · Node\.js v\d+/)
  // Null where the sources are no clone, or git or wrk is missing.
  expect(head.commit ?? '0123456789ab').toMatch(/^[0-9a-f]{12,40}(-dirty)?$/)
  expect(head.wrk ?? 'wrk 4.1.0').toMatch(/^wrk \S+$/)
  expect(JSON.stringify(head)).not.toContain(process.cwd())
  expect(JSON.stringify(head).split(/[\s"]/)).not.toContain(hostname())
})

it('shows the commit and wrk where there are any', () => {
  const head = { date: '2026-01-02T03:04:05.000Z', machine: '2026-01-02 · 2 × Fast, 4 GB', nuqta: '1.2.3' }
  expect(renderHead({ ...head, commit: '0123456789ab', wrk: 'wrk 4.1.0' }, 'PostgreSQL 18.1')).toEqual([
    '2026-01-02 · 2 × Fast, 4 GB',
    'Nuqta 1.2.3 (0123456789ab) · PostgreSQL 18.1 · wrk 4.1.0',
  ])
  expect(renderHead({ ...head, commit: null, wrk: null }, 'PostgreSQL 18.1')).toEqual([
    '2026-01-02 · 2 × Fast, 4 GB',
    'Nuqta 1.2.3 · PostgreSQL 18.1',
  ])
})
