import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { logoFile, pngOf } from '../support/logos.ts'
import { nuqta, scratch } from './command.ts'

const { url } = testDatabase()
const { path: cwd } = scratch()
const run = (...args: string[]) => nuqta(['merchant', ...args], { cwd, env: { DATABASE_URL: url } })
const brand = (...args: string[]) => run('brand', 'Corner Café', ...args)

let owner: object

beforeAll(async () => {
  const { code, json } = await run('create', '--name', 'Corner Café', '--json')
  expect(code).toBe(0)
  owner = { merchant_id: json[0]?.['merchant_id'], program_id: json[0]?.['program_id'], name: 'Corner Café' }
  writeFileSync(join(cwd, 'logo.png'), pngOf(96, 32))
  writeFileSync(join(cwd, 'named.png'), logoFile.lossy)
  writeFileSync(join(cwd, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(cwd, 'huge.png'), Buffer.alloc(1_000_000))
})

describe('nuqta merchant brand', () => {
  test('uses a readable colour unchanged, and reports a colour that had to change', async () => {
    const { code, json } = await brand('--colour', '#FFD54A', '--logo', 'logo.png', '--json')
    expect(code).toBe(0)
    expect(json).toEqual([
      {
        ...owner,
        name_ar: null,
        wide_logo: null,
        colour: '#ffd54a',
        light: expect.objectContaining({ accent: '#876700', edge: '#ab8300', fill: '#ffd54a', ink: '#000000' }),
        dark: expect.objectContaining({ accent: '#ffd54a', fill: '#ffd54a', ink: '#000000' }),
        logo: {
          digest: expect.stringMatching(/^[0-9a-f]{32}$/),
          media_type: 'image/png',
          size_bytes: expect.any(Number),
        },
      },
    ])
    const { stdout } = await brand()
    expect(stdout).toContain('In light mode #ffd54a has a contrast of 1.21:1 with the page. Used are:')
    expect(stdout).toMatch(/text and links {3}#876700 {2}4\.5\d?:1, at least 4\.5 \(made darker\)/)
    expect(stdout).toMatch(/marks and edges {2}#ffd54a {2}\d+\.\d+:1, at least 3 \(as chosen\)/)
    expect(stdout).toMatch(/text on buttons {2}#000000 {2}\d/)
    expect(stdout).toContain('logo      image/png, ')
  })

  test('takes the type of a logo from its bytes, not its name', async () => {
    const { json } = await brand('--logo', 'named.png', '--json')
    expect(json[0]).toMatchObject({ colour: '#ffd54a', logo: { media_type: 'image/webp' } })
  })

  test('removes both', async () => {
    const { json } = await brand('--no-colour', '--no-logo', '--json')
    expect(json).toEqual([
      { ...owner, name_ar: null, wide_logo: null, colour: null, light: null, dark: null, logo: null },
    ])
    const { stdout } = await brand()
    expect(stdout).toMatch(
      /^merchant {2}\d+ {2}Corner Café\nlogo {6}none: its name is shown\ncolour {4}none: ours is used\n$/,
    )
  })

  test('has a name for Arabic pages and a wide logo, until they are removed', async () => {
    const named = await run('set', 'Corner Café', '--name-ar', 'مقهى الزاوية', '--json')
    expect(named.json).toEqual([expect.objectContaining({ name: 'Corner Café', name_ar: 'مقهى الزاوية' })])
    const wide = await brand('--wide-logo', 'logo.png', '--json')
    expect(wide.json).toEqual([
      expect.objectContaining({
        name_ar: 'مقهى الزاوية',
        wide_logo: expect.objectContaining({ media_type: 'image/png' }),
      }),
    ])
    expect((await brand()).stdout).toMatch(/\nArabic {4}مقهى الزاوية\n(.*\n)?wide {6}image\/png/)
    await run('set', 'Corner Café', '--name-ar', 'none')
    expect((await brand('--no-wide-logo', '--json')).json).toEqual([
      expect.objectContaining({ name_ar: null, wide_logo: null }),
    ])
  })

  test.each([
    ['no colour', ['--colour', 'green'], 2, /It must be a colour like/],
    ['an SVG', ['--logo', 'logo.svg'], 1, /^The logo is an SVG, which can hold scripts/],
    ['a file of a megabyte', ['--logo', 'huge.png'], 1, /^The logo has at most 128 KiB/],
    ['a file that is not there', ['--logo', 'missing.png'], 1, /^The logo missing\.png cannot be read \(ENOENT\)/],
    ['a folder', ['--logo', '.'], 1, /cannot be read \(EISDIR\)/],
  ])('%s is refused', async (_, args, code, message) => {
    const ended = await brand(...args)
    expect(ended).toMatchObject({ code, stdout: '' })
    expect(ended.stderr).toMatch(message)
  })
})
