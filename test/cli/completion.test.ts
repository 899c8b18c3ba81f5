import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { leavesOf } from '../../src/cli/command.ts'
import { renderCompletion, shells } from '../../src/cli/completion.ts'
import { renderManPage } from '../../src/cli/man-page.ts'
import { buildProgram, run } from '../../src/cli/run.ts'
import { processShell } from '../../src/cli/shell.ts'
import { root } from '../support/tree.ts'

// Completion and the manual page come from the one table of commands. A shell that is not installed is left out.

const program = await buildProgram()
const isInstalled = (name: string) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0

/** How each shell checks a script without running it. */
const checks = { bash: ['-n'], zsh: ['-n'], fish: ['--no-execute'] } as const

describe.each(shells)('the completion of %s', (shell) => {
  const script = renderCompletion(program, shell)

  test('names every command and option', () => {
    const words = leavesOf(program).flatMap(({ path, command }) => [
      ...path,
      ...command.options.map(({ long }) => long ?? ''),
    ])
    const missing = words.filter((word) => !script.includes(word.replace(/^--/, '')))
    expect([missing, words.length > 200]).toEqual([[], true])
  })

  test.runIf(isInstalled(shell))('is a script without mistakes', () => {
    expect(spawnSync(shell, checks[shell], { input: script, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    })
  })
})

describe.runIf(isInstalled('bash'))('in bash', () => {
  const script = renderCompletion(program, 'bash')

  /** What is offered for the last of these words. */
  function offered(...words: string[]): string[] {
    const line = ['nuqta', ...words].map((word) => `'${word}'`).join(' ')
    const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _nuqta; printf '%s\\n' "\${COMPREPLY[@]}"`
    const out = execFileSync('bash', ['--norc'], { input: `${script}\n${ask}\n`, encoding: 'utf8' })
    return out.split('\n').filter((word) => word !== '')
  }

  test.each([
    [['cust'], ['customers']],
    [
      ['customers', ''],
      ['list', 'show', 'activate', 'block', 'unblock', 'merge', 'erase', '--help'],
    ],
    [['customers', 'erase', '--y'], ['--yes']],
    [
      ['--help', 'merchant', 's'],
      ['show', 'set', 'suspend'],
    ],
    [
      ['merchant', 'set', 'Shop', '--verified', ''],
      ['on', 'off'],
    ],
    [['merchant', 'set', 'Shop', '--verified', 'on', '--key'], ['--key-status']],
    [['merchant', 'payment', '7', '--provider', 'p'], ['paytabs']],
    [['merchant', 'payment', '7', '--credentials', ''], []],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish', '--help'],
    ],
  ])('%j is followed by %j', (words, next) => {
    expect(offered(...words)).toEqual(next)
  })
})

describe('the manual page', () => {
  const page = renderManPage(program)

  test('is the one that was generated', () => {
    expect(readFileSync(`${root}man/nuqta.1`, 'utf8')).toBe(page)
  })

  test('has every command', () => {
    const headings = page.split('\n').filter((line) => line.startsWith('.SS nuqta '))
    expect(headings).toHaveLength(leavesOf(program).length)
  })

  test.runIf(isInstalled('groff'))('is roff without mistakes', () => {
    const { status, stdout, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-z'], {
      input: page,
      encoding: 'utf8',
    })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  })
})

test('completion prints the script', async () => {
  const printed: string[] = []
  const stdout = { write: (text: string) => printed.push(text) }
  expect(await run(['node', 'nuqta', 'completion', 'fish'], { ...processShell(), stdout })).toBe(0)
  expect(printed.join('')).toBe(renderCompletion(program, 'fish'))
})
