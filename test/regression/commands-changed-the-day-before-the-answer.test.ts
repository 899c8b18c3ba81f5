import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { run as runCommand } from '../../src/cli/run.ts'
import { earn, environment, runningService } from '../cli/command.ts'
import { readTree } from '../support/tree.ts'
import { waitFor } from '../support/wait.ts'

// A command took the time when it started and then asked a person, who answered when they liked. A merge that was confirmed after
// midnight wrote entries into a day that was over, whose report of what is owed was final.

const service = runningService({ leaves: ['due deliveries', 'due messages'] })
const { client, run } = service

/** Runs a command at a terminal; `meanwhile` happens before the person says yes. */
async function answered(args: readonly string[], meanwhile: () => Promise<unknown>) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const written = { stdout: '', stderr: '' }
  const stdout = { write: (text: string) => (written.stdout += text) }
  const stderr = { isTTY: true, write: (text: string) => (written.stderr += text) }
  const ended = runCommand(['node', 'nuqta', ...args], {
    ...{ env: environment(service.env), cwd: service.cwd, stdin, stdout, stderr, exitCode: 0 },
  })
  await waitFor('the question', () => written.stderr.includes('[y/N]'))
  await meanwhile()
  stdin.end('y\n')
  return { code: await ended, ...written }
}

const json = async (...args: string[]) => (await run(...args, '--json')).json[0]

test('a merge that is confirmed after midnight changes nothing of the day before', async () => {
  await earn(client(), client().NUQTA_PRIVATE_KEY, '0500000003')
  await run('clock', 'set', '2027-01-31T20:59:00Z')
  const owed = (...more: string[]) => json('liability', '--on', '2027-01-31', ...more)
  let before: Record<string, unknown> | undefined
  const { code } = await answered(['customers', 'merge', '0500000003', '0500000002'], async () => {
    await run('clock', 'advance', '10m')
    before = await owed()
  })
  expect([code, before]).toMatchObject([0, { is_final: true, state: 'complete' }])
  expect((await owed('--again'))?.['outstanding_points']).toBe(before?.['outstanding_points'])
  expect(await json('ledger', 'verify', '--figures')).toMatchObject({ differences: [] })
})

test('a close takes in what happened until the answer', async () => {
  await run('clock', 'set', '2027-02-10T09:00:00Z')
  const { code, stdout } = await answered(['settlement', 'close', '--json'], async () => {
    await run('clock', 'set', '2027-02-10T09:05:00Z')
    await earn(client(), client().NUQTA_PRIVATE_KEY, '0500000003')
  })
  const [settlement] = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  expect(code).toBe(0)
  expect(Date.parse(settlement.until)).toBeGreaterThan(Date.parse('2027-02-10T09:04:00Z'))
})

test('a day that ends while a close waits for its answer can be closed', async () => {
  await run('clock', 'set', '2027-02-28T20:59:00Z')
  await earn(client(), client().NUQTA_PRIVATE_KEY, '0500000003')
  const { code, stderr } = await answered(['settlement', 'close', '--until', '2027-02-28'], () =>
    run('clock', 'advance', '10m'),
  )
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('is not over')])
})

test('no command asks without taking the time of the answer', () => {
  const asking = readTree('src/cli/**/*.ts').filter(({ text }) => text.includes("from './confirm.ts'"))
  expect(asking.map(({ path }) => path)).toEqual(['src/cli/deployment.ts'])
})
