import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { scratch, serve } from '../cli/command.ts'
import { type Block, codeBlocks } from '../support/blocks.ts'
import { readTree, root } from '../support/tree.ts'

// Readers paste what README and the guides show. Each block of commands runs here as it stands, in a folder like a fresh
// clone, beside a sandbox that was just started. Blocks marked `server` need a machine of their own, which `.ci/run` gives to
// those of the production guide. Only the syntax of `server real` is checked: systemd, a proxy, a container, a cluster, the
// network, a start that lasts.

const guides = readTree('README.md', 'README.ar.md', 'docs/*.md')
const all = guides.flatMap(({ path, text }) => codeBlocks(text).map((block) => ({ ...block, guide: path })))
const shells = all.filter(({ info }) => /^(sh|bash|shell|console|zsh)\b/.test(info))
const pasted = shells.filter(({ info }) => info === 'sh')
const { path: clone } = scratch()

interface Ran {
  readonly code: number | null
  readonly output: string
}

/** Runs a block as an interactive reader would, but stops at the first command that fails. */
async function run({ code }: Block): Promise<Ran> {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  const child = spawn('bash', ['-euo', 'pipefail', '-c', code], {
    cwd: clone,
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((done) => child.once('close', done))
  const [status, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { code: status, output: stdout + stderr }
}

describe('the commands of the guides', () => {
  it('are marked `sh`, `sh server` or `sh server real`', () => {
    expect(shells.filter(({ info }) => !/^sh( server( real)?)?$/.test(info))).toEqual([])
    expect(pasted.length).toBeGreaterThan(8)
  })

  it('are marked `sh server` only where `.ci/run` runs them', () => {
    const script = spawnSync(process.execPath, ['.ci/guide.mjs', 'docs/production.md'], { cwd: root, encoding: 'utf8' })
    const served = shells.filter(({ info }) => info === 'sh server')
    expect(served.filter(({ code }) => !script.stdout.includes(code))).toEqual([])
    expect(spawnSync('bash', ['-n'], { input: script.stdout, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    })
  })

  it('have no syntax error', () => {
    const wrong = shells.flatMap(({ code, guide, line }) => {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' })
      return status === 0 ? [] : [`${guide}:${line}: ${stderr}`]
    })
    expect(wrong).toEqual([])
  })

  it('start the service as the test does', () => {
    const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: Record<string, string> }
    expect(shells.find(({ info }) => info === 'sh server real')?.code).toBe('npm ci && npm start\n')
    expect(scripts['start']).toBe('exec bin/nuqta serve')
  })
})

describe('a reader who pastes', () => {
  beforeAll(async () => {
    const left_out = ['data', '.env', '.git']
    for (const name of readdirSync(root).filter((one) => !left_out.includes(one)))
      symlinkSync(join(root, name), join(clone, name))
    await serve(['--empty'], { cwd: clone })
  })

  for (const block of pasted)
    it(`line ${block.line} of ${block.guide} gets what it says`, async () => {
      const { code, output } = await run(block)
      expect([code, output]).toEqual([0, expect.not.stringMatching(/"status": ?false|command not found/)])
    })
})
