import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PartFile } from '../../src/lib/part-file.ts'

// What went wrong: a backup looked for a file of its name only when it began. One that somebody made until it ended was replaced
// without --force.

async function writtenBeside(force: boolean) {
  const cwd = mkdtempSync(join(tmpdir(), 'part-'))
  const path = join(cwd, 'nuqta.backup')
  const file = await PartFile.begin('nuqta.backup', { force, cwd })
  await file.write(Buffer.from('the backup'))
  writeFileSync(path, 'made meanwhile')
  return { cwd, path, file }
}

test('a file that was made meanwhile is left as it is', async () => {
  const { cwd, path, file } = await writtenBeside(false)
  await expect(file.complete()).rejects.toThrow('nuqta.backup was made meanwhile, and is left as it is')
  await file.abandon()
  expect(readFileSync(path, 'utf8')).toBe('made meanwhile')
  expect(readdirSync(cwd)).toEqual(['nuqta.backup'])
})

test('with --force it is replaced', async () => {
  const { cwd, path, file } = await writtenBeside(true)
  await file.complete()
  expect(readFileSync(path, 'utf8')).toBe('the backup')
  expect(readdirSync(cwd)).toEqual(['nuqta.backup'])
})

test('a new file has its name alone', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'part-'))
  const file = await PartFile.begin('nuqta.backup', { force: false, cwd })
  await file.write(Buffer.from('the backup'))
  await file.complete()
  expect(readdirSync(cwd)).toEqual(['nuqta.backup'])
  expect(readFileSync(join(cwd, 'nuqta.backup'), 'utf8')).toBe('the backup')
})

test('of two that write the same file, the later end says so, also when the other has its name already', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'part-'))
  const first = await PartFile.begin('nuqta.backup', { force: true, cwd })
  const second = await PartFile.begin('nuqta.backup', { force: true, cwd })
  await second.complete()
  await expect(first.complete()).rejects.toThrow('Another process writes nuqta.backup too: give another name.')
  await first.abandon()
  expect(readdirSync(cwd)).toEqual(['nuqta.backup'])
})
