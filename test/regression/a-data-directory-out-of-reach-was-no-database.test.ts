import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { nuqta } from '../cli/command.ts'

// What went wrong: where a closed folder hid the data directory, commands said that there was no database and the doctor that
// it would be made. Root passes closed folders, so a link to itself stands for one here.

it.each(['a link to itself', 'below a file'])(
  'a data directory that is %s is said to be out of reach',
  async (what) => {
    const cwd = mkdtempSync(join(tmpdir(), 'reach-'))
    onTestFinished(() => rmSync(cwd, { recursive: true }))
    symlinkSync('round', join(cwd, 'round'))
    writeFileSync(join(cwd, 'file'), '')
    const place = join(cwd, what === 'below a file' ? 'file/data' : 'round')

    const listed = await nuqta(['program', 'list', '--data-dir', place], { cwd })
    expect([listed.code, listed.stderr]).toEqual([1, expect.stringContaining(`The data directory ${place} `)])
    const doctor = await nuqta(['doctor', '--json', '--data-dir', place], { cwd })
    const found = doctor.json.filter(({ check }) => check === 'database' || check === 'data directory')
    expect(found).toMatchObject([
      { check: 'data directory', ok: false, detail: expect.stringContaining('cannot be reached') },
      { check: 'database', ok: false, advice: expect.stringContaining(`The data directory ${place} `) },
    ])
  },
)

it('one that is not there will be made', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'reach-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  const doctor = await nuqta(['doctor', '--json', '--data-dir', join(cwd, 'data')], { cwd })
  expect(doctor.json).toContainEqual(expect.objectContaining({ check: 'database', ok: true }))
  const listed = await nuqta(['program', 'list', '--data-dir', join(cwd, 'data')], { cwd })
  expect(listed.stderr).toContain('There is no database in')
})
