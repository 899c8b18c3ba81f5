import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { environment, nuqtaProcess } from '../cli/command.ts'

// An option of the heap on the command line made V8 refuse the compiled forms of Node's own modules, which each process then
// compiled anew; and an import of node:http loaded all of fetch. Together they were a fifth of a command.

const atExit = (text: string) => `data:text/javascript,process.on('exit',()=>console.error(JSON.stringify(${text})))`

/** What a command says at its end, through the launcher. */
async function asked(text: string, ...args: readonly string[]): Promise<readonly string[]> {
  const env = { NODE_OPTIONS: `--import "${atExit(text)}"` }
  const { stderr } = await nuqtaProcess(args, { cwd: tmpdir(), env })
  return JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as readonly string[]
}

test("the options of the command line leave V8 the compiled forms of Node's own modules", async () => {
  const options = await asked('process.execArgv', '--version')
  expect(options).toContain('--max-semi-space-size=16')
  const script = `
    for (const name of ['http', 'https', 'crypto', 'worker_threads']) require(name)
    const { getCacheUsage } = require('internal/test/binding').internalBinding('builtins')
    console.log(JSON.stringify(Object.entries(getCacheUsage()).map(([kind, names]) => [kind, names.size])))`
  const { stdout } = spawnSync(process.execPath, [...options, '--expose-internals', '-e', script], {
    env: environment({}),
    encoding: 'utf8',
  })
  const usage = Object.fromEntries(JSON.parse(stdout) as [string, number][])
  expect(usage).toMatchObject({ compiledWithoutCache: 0 })
  expect(usage['compiledWithCache']).toBeGreaterThan(50)
})

test('no command loads fetch', async () => {
  // A name that is none loads every command.
  const modules = await asked('process.moduleLoadList', 'frobnicate')
  expect(modules).toContain('NativeModule http')
  expect(modules).not.toContain('NativeModule internal/deps/undici/undici')
})
